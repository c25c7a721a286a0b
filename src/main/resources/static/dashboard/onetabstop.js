const MOVES = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Makes one tab stop of a group of controls, among which arrow keys move.
 *
 * @param {string} selector of the controls, which may come and go
 * @returns {function} to be called where they may have changed: the tab stop is where the reader was, or at what is chosen
 */
export function oneTabStop(group, selector) {
  const all = () => [...group.querySelectorAll(selector)];
  const able = () => all().filter((control) => !control.matches(":disabled"));
  const stopAt = (stop) => all().forEach((control) => (control.tabIndex = control === stop ? 0 : -1));
  const settle = () => {
    const controls = able();
    stopAt(controls.find((control) => control === document.activeElement) ?? controls.find(({ checked }) => checked) ?? controls[0]);
  };
  group.addEventListener("focusin", ({ target }) => target.matches(selector) && stopAt(target));
  group.addEventListener("keydown", (event) => {
    const move = MOVES[event.key];
    if (move && event.target.matches(selector)) {
      const controls = able();
      const next = controls[controls.indexOf(event.target) + move];
      event.preventDefault();
      next?.focus();
    }
  });
  settle();
  return settle;
}
