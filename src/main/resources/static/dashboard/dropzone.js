const DRAGGED_OVER = "over";

/** Has a zone and its chooser take files, however they come. */
export function takesFiles(zone, chooser, take) {
  chooser.addEventListener("change", () => take([...chooser.files]));
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add(DRAGGED_OVER);
  });
  zone.addEventListener("dragleave", () => zone.classList.remove(DRAGGED_OVER));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove(DRAGGED_OVER);
    take([...event.dataTransfer.files]);
  });
}
