import { readJson, writeJson } from "./infinite.js";
import { t } from "./language.js";
import { readableAddress } from "./readable.js";

/** Of the longest address: mail and chat programs cut longer ones. */
const LONGEST = 8000;
const FORMAT = "deflate-raw";

/**
 * Where a page shows a question, which is in the address itself; undefined for one that makes too long an address.
 *
 * @param {string} page its address without a question
 */
export async function addressOf(request, page = "/q") {
  const readable = page === "/q" ? readableAddress(request) : undefined;
  if (readable) {
    return readable;
  }
  const packed = toLetters(await through(new CompressionStream(FORMAT), new TextEncoder().encode(writeJson(request))));
  return packed.length > LONGEST ? undefined : `${page}/${packed}`;
}

/** The question of an address, by what comes after its page; throws where it holds none, as when it was cut. */
export async function questionAt(packed) {
  const request = readJson(new TextDecoder().decode(await through(new DecompressionStream(FORMAT), fromLetters(packed))));
  if (typeof request !== "object" || request === null || Array.isArray(request)) {
    throw new SyntaxError(t("address.no_request"));
  }
  return request;
}

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Base 64 as addresses have it (RFC 4648, section 5), without padding. */
function toLetters(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function fromLetters(letters) {
  return Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
