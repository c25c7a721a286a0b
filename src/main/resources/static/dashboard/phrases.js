/** A figure as the page writes it: `3,500`, `−0.5`, or a dash where there is none. */
const FIGURE = "([+−-]?[\\d.,]*\\d(?:[eE][+-]?\\d+)?|–|∞)";
const WORD = "(\\S+?)";
const ANY_WORDS = "(.+?)";
const CLAUSE = "((?:(?!; | · |\\. ).)+?)";

/**
 * `{1}` stands for a figure, `{a}` for a clause, `{A}` for any words and `{w}` for one, which are phrases themselves; what is in
 * brackets may be missing: `server[s]`.
 */
const PART = /\{(\w)\}|\[([^\]]*)\]/g;
const IN_TURN = /\{(\w)\}/g;

/** What phrases are put together with, the loosest first, and what that is in the other language. */
const JOINTS = [
  [" · ", " · "],
  ["; ", "；"],
  [": ", "："],
  [", and ", "，且"],
  [", ", "，"],
  [" and ", " 和 "],
  [" or ", " 或 "],
  [" → ", " → "],
  [" + ", " + "],
  ["=", "="],
];
const IN_BRACKETS = /^(.*\S) \(([^()]*)\)$/s;
const SENTENCES = /(?<=[\p{L}\d)”%][.!?])\s+/u;
/** A phrase and what it is about: a reason, or the rest of a list. */
const LABELLED = /^([^:]+): (.+)$/s;
/** What a setting is: a figure or a name. */
const SETTING = /^(?:[\d−+–(]|\p{Lu}[\p{Lu}\d_]+)/u;
const EDGES = /^([\s.,;:()]*)(.*?)([\s.,;:()]*)$/s;
const PUNCTUATION = { ",": "，", ";": "；", ":": "：", ".": "。" };

/** Two plain words beside each other: no name, and not worth showing half translated. */
const PROSE = /\p{Ll}{2,} \p{Ll}{2,}/u;
/** No name: names are joined in any language. */
const PLAIN_WORD = /(?<![\p{L}\d_/.-])\p{Ll}{3,}(?![\p{L}\d_/.-])/u;
const WRITTEN = /\p{Lo}/u;
/** A text that the page has written in the other language. */
const TRANSLATED = /\p{Script=Han}/u;
/** So many letters of its own make a form fit what it is meant for alone. */
const SURE = 9;
const LETTERS = /[A-Za-z]/;
const MOST_KNOWN = 20_000;

/** Punctuation of the page's own joints beside translated words. */
const BESIDE = /(?<=[\p{Script=Han}）”])([,;:.]) ?(?!\d)|([,;:]) (?=\p{Script=Han})/gu;

/** Phrases of the service in another language. */
export class Phrases {
  /** @param {Object<string, string>} words English phrases with their placeholders, to those of the language with the same ones */
  constructor(words) {
    const all = Object.entries(words).map(([english, other]) => ({ english, other }));
    this.whole = new Map(all.filter(({ english }) => !isForm(english)).map(({ english, other }) => [english, other]));
    const forms = all.filter(({ english }) => isForm(english)).map(formOf).toSorted((one, other) => other.letters - one.letters);
    this.sure = forms.filter(({ letters }) => letters >= SURE);
    this.loose = forms.filter(({ letters }) => letters < SURE);
    this.known = new Map();
  }

  /** A text in the language; the text itself where no phrase is known of it. */
  say(text) {
    let said = this.known.get(text);
    if (said === undefined) {
      if (this.known.size > MOST_KNOWN) {
        this.known.clear();
      }
      said = this.find(text);
      this.known.set(text, said);
    }
    return said;
  }

  find(text) {
    const [, before, core, after] = /^(\s*)(.*?)(\s*)$/s.exec(text);
    const plain = core.replace(/\s+/g, " ");
    const found = this.whole.get(plain) ?? (LETTERS.test(plain) ? this.composed(plain) : undefined);
    if (TRANSLATED.test(plain)) {
      return before + withPunctuation(found ?? plain) + after;
    }
    return found === undefined ? text : before + found + after;
  }

  /** A phrase between punctuation, one with its placeholders filled, or several put together. */
  composed(text) {
    const [, before, core, after] = EDGES.exec(text);
    const between = (found) => found && punctuated(before) + found + punctuated(after);
    const ended = (found) => found && found + punctuated(after);
    const formed = (forms) =>
      between(this.formed(core, forms) ?? this.formed(uncapitalized(core), forms)) ?? ended(this.formed(before + core, forms)) ?? this.formed(text, forms);
    return between(this.exact(core)) ?? formed(this.sure) ?? this.labelled(text) ?? formed(this.loose) ?? this.joined(text);
  }

  /** A phrase begins with a capital where a sentence begins with it. */
  exact(text) {
    return this.whole.get(text) ?? this.whole.get(uncapitalized(text));
  }

  formed(text, forms) {
    for (const form of forms) {
      const found = text.includes(form.literal) && form.pattern.exec(text);
      const said = found && this.filled(form, found.slice(1));
      if (said) {
        return said;
      }
    }
    return undefined;
  }

  /** Nothing where a form that fits much leaves prose as it is. */
  filled({ names, other, letters }, parts) {
    const said = parts.map((part) => this.say(part));
    const isHalf = letters < SURE && parts.some((part, index) => said[index] === part && PROSE.test(part));
    return isHalf ? undefined : other.replace(IN_TURN, (_, name) => said[names.indexOf(name)]);
  }

  /** What stands behind a phrase and a colon may be anybody's words. */
  labelled(text) {
    const [, label, about] = LABELLED.exec(text) ?? [];
    const labelled = label && this.exact(label);
    return labelled && `${labelled}：${this.say(about)}`;
  }

  /** Sentences, of which some may be the service's, and parts between joints. */
  joined(text) {
    const sentences = text.split(SENTENCES);
    if (sentences.length > 1) {
      const said = sentences.map((sentence) => this.say(sentence));
      const gap = (index) => (index === 0 || said[index - 1].endsWith("。") ? "" : " ");
      return said.every((sentence, index) => sentence === sentences[index]) ? undefined : said.map((sentence, index) => gap(index) + sentence).join("");
    }
    const [, before, bracketed] = IN_BRACKETS.exec(text) ?? [];
    const both = bracketed && this.parts([before, bracketed], " (");
    if (both) {
      return `${both})`;
    }
    for (const [joint, other] of JOINTS) {
      const found = this.parts(text.split(joint), other);
      if (found !== undefined) {
        return found;
      }
    }
    return this.set(text);
  }

  /** A setting behind its name: `Linear layers FP8`. */
  set(text) {
    for (let end = text.lastIndexOf(" "); end > 0; end = text.lastIndexOf(" ", end - 1)) {
      const name = this.exact(text.slice(0, end));
      const value = text.slice(end + 1);
      if (name && SETTING.test(value) && !PROSE.test(value)) {
        return `${name} ${this.say(value)}`;
      }
    }
    return undefined;
  }

  /** Several parts of which one at least is known, unless others are prose. */
  parts(parts, joint) {
    if (parts.length < 2) {
      return undefined;
    }
    const said = parts.map((part) => this.say(part));
    const left = parts.filter((part, index) => part === said[index] && !TRANSLATED.test(part));
    const isJoined = left.length < parts.length || (WRITTEN.test(joint) && !left.some((part) => PLAIN_WORD.test(part)));
    return isJoined && !left.some((part) => PROSE.test(part)) ? said.join(joint) : undefined;
  }
}

function isForm(english) {
  return /[{[]/.test(english);
}

function formOf({ english, other }) {
  const names = [];
  const pattern = [];
  const literals = [];
  let last = 0;
  for (const found of english.matchAll(PART)) {
    const literal = english.slice(last, found.index);
    literals.push(literal);
    pattern.push(escaped(literal));
    if (found[1] === undefined) {
      pattern.push(`(?:${escaped(found[2])})?`);
    } else {
      names.push(found[1]);
      pattern.push(patternFor(found[1]));
    }
    last = found.index + found[0].length;
  }
  literals.push(english.slice(last));
  pattern.push(escaped(english.slice(last)));
  const literal = literals.reduce((longest, one) => (one.length > longest.length ? one : longest));
  return { literal, pattern: new RegExp(`^${pattern.join("")}$`, "s"), names, other, letters: literals.join("").replace(/[^A-Za-z]/g, "").length };
}

function uncapitalized(text) {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function patternFor(name) {
  if (/\d/.test(name)) {
    return FIGURE;
  }
  if (name === "w") {
    return WORD;
  }
  return name === name.toLowerCase() ? CLAUSE : ANY_WORDS;
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function withPunctuation(text) {
  return text.replace(BESIDE, (_, behind, before) => PUNCTUATION[behind ?? before]);
}

function punctuated(marks) {
  return marks.replace(/([.,;:]) ?/g, (_, mark) => PUNCTUATION[mark]);
}
