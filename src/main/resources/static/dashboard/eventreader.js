/**
 * Reads server-sent events as an EventSource does, which can send no headers. It does not connect again by itself: whoever reads
 * learns from `error` that the stream is over.
 */
export class EventReader extends EventTarget {
  constructor(address, headers) {
    super();
    this.leaving = new AbortController();
    this.readyState = EventSource.CONNECTING;
    this.read(address, headers);
  }

  close() {
    this.readyState = EventSource.CLOSED;
    this.leaving.abort();
  }

  async read(address, headers) {
    try {
      const response = await fetch(address, {
        headers: { Accept: "text/event-stream", ...headers },
        signal: this.leaving.signal,
      });
      if (response.ok) {
        this.readyState = EventSource.OPEN;
        this.dispatchEvent(new Event("open"));
        await this.tell(response.body.pipeThrough(new TextDecoderStream()).getReader());
      }
    } catch {
      // A broken stream ends as one does that nobody opened.
    }
    if (this.readyState !== EventSource.CLOSED) {
      this.close();
      this.dispatchEvent(new Event("error"));
    }
  }

  async tell(reader) {
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (text + part.value).split(/\r?\n\r?\n/);
      text = blocks.pop();
      blocks.forEach((block) => this.dispatch(block));
    }
  }

  /** The lines of one event; comments have no data. */
  dispatch(block) {
    const fields = block.split(/\r?\n/).map((line) => /^(\w*):? ?(.*)$/.exec(line) ?? []);
    const values = (name) => fields.filter(([, field]) => field === name).map(([, , value]) => value);
    const data = values("data");
    if (data.length > 0) {
      this.dispatchEvent(new MessageEvent(values("event").at(-1) ?? "message", { data: data.join("\n") }));
    }
  }
}
