import t from 'tap'
import { judgePeppers } from '../../src/credentials/peppers.ts'
import { type Peppers, pepperFingerprint } from '../../src/credentials/value.ts'

const PEPPERS: Peppers = ['present', 'former']
const [present, former] = PEPPERS.map(pepperFingerprint)
t.match(present, /^[0-9a-f]{16}$/, 'a fingerprint has 64 bits')
const of = (counts: Readonly<Record<string, number>>, unnamed = 0) => [
  ...Object.entries(counts).map(([pepper, count]) => ({ pepper, count })),
  ...(unnamed > 0 ? [{ pepper: null, count: unnamed }] : []),
]

t.test('keys that were made with any pepper of the config are accepted, and nothing is said', (t) => {
  for (const counts of [of({}), of({}, 4), of({ [String(present)]: 3 }), of({ [String(present)]: 3, [String(former)]: 2 }, 1)])
    t.same(judgePeppers(counts, PEPPERS), {})
  t.end()
})

t.test('where none of them would be accepted the start is refused, and the sentence names both sides', (t) => {
  const { refusal, warning } = judgePeppers(of({ aa: 3, bb: 4 }, 9), PEPPERS)
  t.equal(warning, undefined)
  t.match(refusal, /^peppers: none of the 7 API keys and management tokens .*so every one of them would be refused/)
  t.match(refusal, `(fingerprint ${present}, ${former}; theirs aa, bb)`)
  t.match(refusal, 'List the former one behind the present one in peppers.')
  t.end()
})

t.test('where some of them would not be, that is a warning with how many', (t) => {
  const { refusal, warning } = judgePeppers(of({ aa: 3, [String(former)]: 4 }, 9), PEPPERS)
  t.equal(refusal, undefined)
  t.match(warning, /^peppers: 3 of 7 API keys and management tokens are refused/)
  t.match(warning, '(fingerprint aa; svc keys show names')
  t.match(warning, 'List the former one behind the present one in peppers.')
  t.end()
})

t.test('five fingerprints are named, and of the others their number', (t) => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, place) => [`f${place}`, 1]))
  t.match(judgePeppers(of(many(5)), PEPPERS).refusal, 'theirs f0, f1, f2, f3, f4)')
  t.match(judgePeppers(of(many(6)), PEPPERS).refusal, 'theirs f0, f1, f2, f3, f4, and 1 more)')
  t.match(judgePeppers(of({ ...many(7), [String(present)]: 1 }), PEPPERS).warning, 'fingerprint f0, f1, f2, f3, f4, and 2 more;')
  t.end()
})
