import type { Random } from './random.ts'

/** Texts that programs have stumbled over. */
const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  'true',
  'NaN',
  '0x',
  '0xzz',
  '1e400',
  "' or 1=1 --",
  '../../etc/passwd',
  '%24{jndi:ldap://x}',
  '__proto__',
  'constructor',
  'toString',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '𝕊𝕤',
  'é'.repeat(50),
  `0x${'f'.repeat(64)}`,
  'f'.repeat(5000),
  '1'.repeat(400),
  'A'.repeat(20_000),
  '2027-01-31T00:00:00.000Z',
  '01JD4Z0V9T6E6N1S2XKQ3B7W8R',
]

/** JSON texts: numbers keep their own form, which no value of JavaScript has. */
const LITERALS = [
  '0',
  '-0',
  '-1',
  '1',
  '255',
  '256',
  '1.5',
  '0.000000000000000001',
  '1e-400',
  '1e400',
  '-1e400',
  '123456789012345678901234567890.123456789012345678',
  '9007199254740993',
  '18446744073709551616',
  '1E5',
  '1e-7',
  'true',
  'false',
  'null',
  '[]',
  '{}',
  '[null]',
  '[[[[[[]]]]]]',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":1}}',
  '{"toJSON":1}',
  `[${'0,'.repeat(2000)}0]`,
  '"',
  '01',
  '+1',
  '1.',
  'undefined',
]

/** A text of any kind. */
export function anyText(random: Random): string {
  if (random.oneIn(3)) return bytesOf(random, 1 + random.below(80)).toString(random.pick(['hex', 'base64', 'latin1', 'base64url']))
  return random.pick(TEXTS)
}

/** The JSON text of anything, valid or not. */
export function anyJson(random: Random): string {
  return random.oneIn(2) ? random.pick(LITERALS) : JSON.stringify(anyText(random))
}

/** Draws so many bytes. */
export function bytesOf(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)))
}

/** A part of a text taken out, doubled, or changed. */
export function bent(random: Random, text: string): string {
  const at = random.below(text.length + 1)
  const length = 1 + random.below(4)
  switch (random.below(5)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + text.slice(at + length)
    case 2:
      return text.slice(0, at) + text.slice(at, at + length) + text.slice(at)
    case 3:
      return text.slice(0, at) + String.fromCharCode(random.below(0x180)) + text.slice(at + 1)
    default:
      return random.oneIn(2) ? text.toUpperCase() : `${text}${text}`
  }
}
