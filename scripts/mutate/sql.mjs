// The changes of a statement of SQL: most guards of this project live there. A condition is dropped, a comparison is moved, an assignment is left out, a
// text is another one. What stands in `${…}` is one word.

/** What ends a condition or an assignment that stands on no deeper level. */
const ENDS = /^(and|or|where|returning|order|group|limit|on|then|when|else|end|from|set|union|for|as|having|partition)\b/i
const COMPARED = [
  [/^<=/, '<'],
  [/^>=/, '>'],
  [/^<>/, '='],
  [/^<(?![=>])/, '<='],
  [/^>(?!=)/, '>='],
]
const WORDS = [
  [/^is not null\b/i, 'is null'],
  [/^is null\b/i, 'is not null'],
  [/^desc\b/i, ''],
  [/^not (?=exists|in)\b/i, ''],
]

/**
 * @param text a template, from its first backtick to its last
 * @param expressions where what is put in stands: `[start, end]` each, without `${` and `}`
 * @returns changes with offsets into the text
 */
export function sqlChanges(text, expressions) {
  const masked = mask(text, expressions)
  const found = []
  const assigning = new Set()
  const add = (start, end, now) =>
    found.push({ start, end, now, what: `SQL: ${shown(text.slice(start, end))} is ${now === '' ? 'left out' : shown(now)}` })
  for (let at = 1; at < masked.length - 1; at++) {
    if (/\w/.test(masked[at - 1]) && /\w/.test(masked[at])) continue
    const rest = masked.slice(at)
    const joint = /^(and|or|where|when|on)\s+/i.exec(rest)
    if (joint) {
      const word = joint[1].toLowerCase()
      const start = at + joint[0].length
      const end = endOf(masked, start)
      if (end > start && !(word === 'on' && /^conflict/i.test(masked.slice(start)))) {
        if (word === 'and') add(at, end, '')
        else if (word === 'or') add(at, end, '')
        else add(start, end, '(1 = 1)')
      }
    }
    const set = /^set\s+/i.exec(rest)
    if (set) {
      const all = assignments(masked, at + set[0].length)
      for (const [start] of all) assigning.add(masked.indexOf('=', start))
      for (const [start, end] of withComma(all)) add(start, end, '')
    }
    for (const [pattern, now] of [...COMPARED, ...WORDS]) {
      const here = pattern.exec(rest)
      if (here) add(at, at + here[0].length, now)
    }
    const quoted = /^'(\w*)'/.exec(rest)
    if (quoted) add(at, at + quoted[0].length, quoted[1] === 'changed' ? "'other'" : "'changed'")
    if (/^= /.test(rest) && !/[<>!]/.test(masked[at - 1]) && !assigning.has(at)) add(at, at + 1, '<>')
  }
  return found
}

/** The same text, with `X` for all that is put in, and in quotes, so that no bracket or word of it counts. */
function mask(text, expressions) {
  let masked = text
  for (const [start, end] of expressions) masked = `${masked.slice(0, start - 2)}${'X'.repeat(end - start + 3)}${masked.slice(end + 1)}`
  return masked
}

/** Where a condition ends that begins here: at a bracket or comma of its own level, or at a word that begins something else. */
function endOf(masked, start) {
  let depth = 0
  let cases = 0
  for (let at = start; at < masked.length - 1; at++) {
    const isWord = !/\w/.test(masked[at - 1])
    if (isWord && /^case\b/i.test(masked.slice(at))) cases++
    if (masked[at] === '(') depth++
    if (masked[at] === ')') {
      if (depth === 0) return trimmed(masked, start, at)
      depth--
    }
    if (depth > 0) continue
    if (masked[at] === ',') return trimmed(masked, start, at)
    if (isWord && cases === 0 && ENDS.test(masked.slice(at))) return trimmed(masked, start, at)
    if (isWord && cases > 0 && /^end\b/i.test(masked.slice(at))) cases--
  }
  return trimmed(masked, start, masked.length - 1)
}

function trimmed(masked, start, end) {
  return start + masked.slice(start, end).trimEnd().length
}

/** Where each assignment stands. */
function assignments(masked, start) {
  const all = []
  for (let from = start; ; ) {
    const end = endOf(masked, from)
    if (!/^[\w"]+\s*=/.test(masked.slice(from, end))) return all
    all.push([from, end])
    const comma = /^\s*,\s*/.exec(masked.slice(end))
    if (!comma) return all
    from = end + comma[0].length
  }
}

/** Each with the comma after it, or before it where it is the last; none where there is but one. */
function withComma(all) {
  if (all.length < 2) return []
  return all.map(([from, end], index) => (index + 1 < all.length ? [from, all[index + 1][0]] : [all[index - 1][1], end]))
}

function shown(text) {
  return text.replaceAll(/\s+/g, ' ').trim()
}
