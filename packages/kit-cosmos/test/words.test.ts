// A node's words as they are shown, on all that were recorded.
import { recordings } from '@svc/testing/recordings'
import t from 'tap'
import { readableWords } from '../src/words.ts'

const TEXTS = new Set(['log', 'error', 'data', 'message', 'raw_log'])

function textsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => (TEXTS.has(name) && typeof member === 'string' ? [member] : textsIn(member)))
}

t.test('no recorded text shows a path, a status of the transport, or binary bytes', async (t) => {
  let texts = 0
  for (const node of ['hub', 'celestia'] as const)
    for (const { name, response } of recordings(node).values())
      for (const text of textsIn(response.body)) {
        texts++
        t.notMatch(readableWords(text), /\.go:|rpc error|\.$|[\p{Cc}\p{Cf}\uFFFD]/u, `${node} ${name}: ${text}`)
      }
  t.ok(texts > 300, `${texts} texts`)
})

t.test('what is readable stays', async (t) => {
  const path = '[cosmos/cosmos-sdk@v0.53.8/x/staking/keeper/delegation.go:1383]'
  t.equal(readableWords(`invalid shares amount ${path}: invalid request`), 'invalid shares amount: invalid request')
  t.equal(readableWords('rpc error: code = Unknown desc = rpc error: code = NotFound desc = no delegation.'), 'no delegation')
  t.equal(
    readableWords('error escrowing funds: \u0000\uFFFDiI does not allow to pay fees for \uFFFD: fee-grant not found: not found'),
    'error escrowing funds: fee-grant not found: not found',
  )
  t.equal(readableWords('\u0007'), '')
  t.equal(readableWords('two\nlines'), 'two lines')
  t.equal(readableWords('rpc error: code = Code(18) desc = no such thing'), 'no such thing')
  t.equal(readableWords('x'.repeat(400)).length, 300)
  t.equal(readableWords(`${'x'.repeat(299)}\u{1F600}`), 'x'.repeat(299), 'no half of a letter')
  t.equal(readableWords(`${'x'.repeat(298)}\u{1F600}y`), `${'x'.repeat(298)}\u{1F600}`)
})
