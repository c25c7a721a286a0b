import { askWhole, ProblemError } from "./api.js";
import { drawChart } from "./chart.js";
import { chartPanel } from "./chartpanel.js";
import { element, saveFile, tool } from "./dom.js";
import { decimals, layout, plain, whole } from "./format.js";
import { t } from "./language.js";
import { limitsOf } from "./limits.js";
import { costOf, money } from "./money.js";
import { paletteOf } from "./palette.js";
import { bestDevice } from "./results.js";

const HEIGHT = 310;
const SECOND = 1000;

/** Layouts that are drawn, best first. */
const DRAWN = 6;

/** Devices that are offered as further curves. */
const OTHERS = ["H100_SXM", "H200_SXM", "B200_SXM"];

/**
 * Throughput per device against the speed that each user sees, a curve for each layout: the best is ringed and has its band, and
 * the side beyond the TPOT target is shaded; `offersOthers` adds buttons for curves of other devices. Undefined where the answer has no points with a TPOT.
 */
export function frontierCard(device, request, signal, offersOthers) {
  const series = seriesOf(device);
  return series.length === 0 ? undefined : new FrontierCard(device, request, series, signal, offersOthers);
}

/** The same as a chart among others, for paper. */
export function frontierPanel(device, request, signal) {
  const series = seriesOf(device);
  return series.length > 0 && chartPanel(t("frontiercard.throughput_over_speed"), [{ ...chartOf(series, request), title: t("frontiercard.throughput_over_speed") }], signal);
}

function chartOf(series, request) {
  const tpot = limitsOf(request).tpot_ms;
  return {
    x: { name: t("frontiercard.user"), label: t("frontiercard.tokens_s_each_user"), limit: typeof tpot === "number" ? { value: SECOND / tpot, label: t("frontiercard.target", { 1: plain(tpot) }), shaded: true } : null },
    y: { name: t("frontiercard.device"), label: t("common.tokens_s_per_device"), limit: null },
    series,
    named: true,
  };
}

class FrontierCard {
  constructor(device, request, series, signal, offersOthers) {
    Object.assign(this, { device, request, series, signal });
    this.canvas = element("div", { class: "chart", role: "img" });
    this.tip = element("p", { class: "tip", hidden: true });
    this.more = element("span", {}, offersOthers && this.otherDevices());
    this.node = element(
      "section",
      { class: "card frontier-card" },
      element(
        "h3",
        {},
        t("frontiercard.throughput_over_speed"),
        element("span", { class: "card-tools" }, this.more, tool("PNG", () => this.savePicture()), tool("CSV", () => this.saveTable())),
      ),
      element("div", { class: "chart-frame" }, this.canvas, this.tip),
    );
    const resized = new ResizeObserver(() => this.draw());
    resized.observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw(), { signal });
    signal?.addEventListener("abort", () => {
      resized.disconnect();
      this.plot?.destroy();
    });
  }

  /** Is told the layout that the pointer is at, or null. */
  set pointed(listener) {
    this.tell = listener;
  }

  /** Draws the curve of one layout strongly, or all alike. */
  highlight(label) {
    if (this.lit !== label) {
      this.lit = label;
      this.draw();
    }
  }

  draw() {
    if (this.canvas.clientWidth > 0) {
      this.plot?.destroy();
      this.plot = drawChart(this.canvas, this.chart(), this.series.map(() => true), (at) => this.point(at), HEIGHT);
    }
  }

  chart() {
    this.canvas.setAttribute("aria-label", t("frontiercard.curves_of_layouts", { 1: this.series.length }));
    const isFaint = ({ label }) => this.lit !== undefined && this.lit !== null && label !== this.lit;
    return chartOf(this.series.map((one) => ({ ...one, faint: isFaint(one) })), this.request);
  }

  point(at) {
    const series = at && this.series[at.seriesIndex];
    this.tip.hidden = !at;
    if (at) {
      const point = series.points[at.pointIndex];
      const beyond = point.withinSlo ? "" : t("chartpanel.misses_a_target");
      const cost = costOf({ [series.device ?? this.device.device]: 1 }, point.y, this.request);
      this.tip.textContent = t("frontiercard.point", { A: series.label, 1: whole(point.concurrency), 2: whole(point.y), 3: decimals(point.x, 1), b: cost ? `, ${t("service.per_million_tokens", { 1: money(cost.million, this.request) })}${beyond}` : beyond });
      const { over } = this.plot;
      const left = over.offsetLeft + this.plot.valToPos(point.x, "x");
      const top = over.offsetTop + this.plot.valToPos(point.y, "y");
      this.tip.style.left = `${Math.max(0, Math.min(left + 12, this.canvas.clientWidth - this.tip.offsetWidth))}px`;
      this.tip.style.top = `${Math.max(0, top - this.tip.offsetHeight - 10)}px`;
    }
    this.tell?.(series?.label ?? null);
  }

  /** Buttons that add the best curve of other devices. */
  otherDevices() {
    const { device, request } = this;
    if (request.devices?.length !== 1 || request.device_profiles?.length > 0 || request.cost_model !== "calibrated" || !OTHERS.includes(device.device)) {
      return null;
    }
    return OTHERS.filter((name) => name !== device.device).map((name) => tool(`+ ${name}`, (event) => this.add(name, event.target)));
  }

  async add(name, button) {
    button.disabled = true;
    try {
      const { result } = await askWhole({ ...this.request, devices: [name] }, this.signal);
      const [best] = result ? seriesOf(bestDevice(result)) : [];
      if (best) {
        this.series.push({ ...best, device: name, label: `${name}, ${best.label}`, band: undefined });
        this.draw();
        button.remove();
      }
    } catch (error) {
      if (!(error instanceof ProblemError)) {
        throw error;
      }
      button.title = error.message;
    }
  }

  savePicture() {
    const { canvas } = this.plot.ctx;
    const paper = document.createElement("canvas");
    [paper.width, paper.height] = [canvas.width, canvas.height];
    const context = paper.getContext("2d");
    context.fillStyle = paletteOf(this.canvas).surface;
    context.fillRect(0, 0, paper.width, paper.height);
    context.drawImage(canvas, 0, 0);
    paper.toBlob((blob) => saveFile(blob, "frontier.png"));
  }

  saveTable() {
    const lines = this.series.flatMap(({ label, points }) =>
      points.map(({ x, y, concurrency, ttft, withinSlo }) => [`"${label}"`, concurrency, y, x, SECOND / x, ttft, withinSlo].join(",")),
    );
    const header = "layout,concurrency,tokens_per_s_per_device,tokens_per_s_per_user,tpot_ms,ttft_ms,within_slo";
    saveFile(new Blob([[header, ...lines].join("\n")], { type: "text/csv" }), "frontier.csv");
  }
}

/** A curve for each layout of a device, the best layout first, then by what it reaches within the targets. */
function seriesOf({ num_devices: devices, phases, pd_ratio: pairs }) {
  const [phase] = phases ?? [];
  if (pairs || !phase?.points) {
    return [];
  }
  const [best] = phase.rows;
  const points = phase.points.filter(({ tpot_ms: tpot, tokens_per_s: rate }) => tpot > 0 && rate > 0);
  const groups = Map.groupBy(points, ({ parallel }) => parallel.label);
  const named = [...groups].map(([label, probes]) => ({ label: nameOf(probes[0].parallel, devices), best: label === best?.parallel.label, points: probes.map((probe) => pointOf(probe, devices, best)).toSorted((one, other) => one.x - other.x) }));
  const reach = ({ best: first, points: probes }) => (first ? Infinity : Math.max(0, ...probes.filter(({ withinSlo }) => withinSlo).map(({ y }) => y)));
  return named
    .toSorted((one, other) => reach(other) - reach(one))
    .slice(0, DRAWN)
    .map((one) => ({ ...one, band: one.best }));
}

/** "4 × TP=2": instances on all devices, and their layout. */
export function nameOf(parallel, devices) {
  const count = Math.floor(devices / sizeOf(parallel));
  return `${count} × ${layout(parallel)}`;
}

function sizeOf({ tp, pp = 1, dp = 1 }) {
  return tp * pp * dp;
}

function pointOf(probe, devices, best) {
  const used = Math.floor(devices / sizeOf(probe.parallel)) * sizeOf(probe.parallel) || devices;
  const ends = probe.tokens_per_s_band;
  return {
    x: SECOND / probe.tpot_ms,
    y: probe.tokens_per_s / used,
    ends: ends && { low: ends.low / used, high: ends.high / used },
    concurrency: probe.concurrency,
    ttft: probe.ttft_ms,
    withinSlo: probe.within_slo,
    best: best !== undefined && probe.parallel.label === best.parallel.label && probe.concurrency === best.concurrency,
  };
}
