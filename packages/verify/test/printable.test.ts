import t from 'tap'
import { decodeEvm } from '../src/evm/index.ts'
import { check, DecodeError, EncodeError } from '../src/index.ts'
import { printable, Refused } from '../src/intent/index.ts'

/** Of each kind that moves a cursor, turns a text, hides in it or ends a line: C0, DEL, C1, bidirectional, of no width, a tag, private, half a letter, breaks. */
const HOSTILE = [
  '\u0007',
  '\u001b[2J',
  '\u007f',
  '\u0085',
  '\u009b',
  '\u061c',
  '\u200b',
  '\u200e',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\u{e0041}',
  '\ue000',
  '\ud800',
  '\u2028',
  '\u2029',
  '\n',
  '\r',
  '\u00ad',
]
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u

t.test('what does not show is written as its number, and everything else as it is', async (t) => {
  for (const text of HOSTILE) {
    t.notMatch(printable(`a${text}b`), UNSEEN)
    t.match(printable(`a${text}b`), /^a\\u\{[0-9a-f]+\}.*b$/)
  }
  t.equal(printable('\u202e'), '\\u{202e}')
  t.equal(printable('\u{e0041}'), '\\u{e0041}')
  for (const text of ['', 'Wallet’s 5 % – ‘é’ 漢字 😀', '0xab "x" \\ {}']) t.equal(printable(text), text)
})

t.test('no message and no difference of this package has them', async (t) => {
  for (const text of HOSTILE) {
    t.notMatch(new DecodeError(text).message, UNSEEN)
    t.notMatch(new EncodeError(text).message, UNSEEN)
    const refused = new Refused('facts.x', text, text)
    for (const each of [refused.message, refused.mismatch.expected, refused.mismatch.found]) t.notMatch(each, UNSEEN)
    try {
      decodeEvm({ [text]: 1 } as never, [])
      t.fail('it was read')
    } catch (error) {
      t.notMatch(String(error), UNSEEN)
    }
    const call = { target: text, method: text, args: { [text]: text, a: [text] }, value: 0n }
    const wanted = { target: 'x', method: 'x', args: { a: ['x'] }, value: 0n }
    const decoded = { chainId: text, signers: [text], maxFee: 0n, calls: [call, call], terms: { [text]: text } }
    const found = check(decoded, { signers: ['x'], calls: [wanted] }, { chainId: 'x', maxFee: 0n, terms: { a: 'x' } })
    t.ok(found.length > 5)
    t.notMatch(found.map(({ path, expected, found: wrong }) => `${path} ${expected} ${wrong}`).join(''), UNSEEN)
  }
})
