// Advice to craft another transaction, in every code that callers of the nine protocols can meet. Where the first one can still land besides the other, that
// is a second stake. A code whose meaning speaks of crafting has to be judged here, with the reason; one that no longer does has to go.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

type Judgement =
  /** Its bytes can never land, and that is known of these bytes. */
  | 'never lands'
  /** Both name one sequence or nonce, of which the chain takes one. */
  | 'one of both'
  /** The advice is to look the first one up, or to wait for it. */
  | 'looks first'
  /** Told of a craft, before anything was signed; `refusedWhenSent` takes the advice away where a transaction was sent. */
  | 'of a craft'

const JUDGED: Readonly<Record<string, Judgement>> = {
  '@svc/kit-cosmos GAS_LIMIT_TOO_LOW': 'one of both',
  '@svc/kit-cosmos SEQUENCE_UNCLEAR': 'looks first',
  '@svc/kit-cosmos SEQUENCE_USED': 'never lands',
  '@svc/kit-cosmos SEQUENCE_WAITING': 'looks first',
  '@svc/kit-cosmos TRANSACTION_EXPIRED': 'looks first',
  '@svc/kit-cosmos TRANSACTION_PENDING': 'of a craft',
  '@svc/kit-evm GAS_LIMIT_TOO_LOW': 'never lands',
  '@svc/kit-evm NONCE_PENDING': 'looks first',
  '@svc/kit-evm NONCE_USED': 'looks first',
  '@svc/kit-move TRANSACTION_EXPIRED': 'looks first',
  '@svc/kit-move TRANSACTION_STALE': 'looks first',
  '@svc/kit-svm ACCOUNT_EXISTS': 'of a craft',
  '@svc/kit-svm NONCE_USED': 'looks first',
  '@svc/kit-svm POOL_RATE_MOVED': 'of a craft',
  '@svc/kit-svm POOL_STAKE_MOVED': 'of a craft',
  '@svc/kit-svm TRANSACTION_EXPIRED': 'looks first',
  '@svc/kit-svm UNIT_LIMIT_TOO_LOW': 'of a craft',
}

/** Meanings by package and code, out of the page that is written from the code. */
function meanings(): ReadonlyMap<string, string> {
  const page = readFileSync(join(import.meta.dirname, '../../docs/errors.md'), 'utf8')
  const found = new Map<string, string>()
  let home = ''
  for (const line of page.split('\n')) {
    home = /^## (\S+)/.exec(line)?.[1] ?? home
    const [, code, meaning] = /^\| `(\w+)` \| \d+ \| (.*) \|$/.exec(line) ?? []
    if (code !== undefined && meaning !== undefined) found.set(`${home} ${code}`, meaning)
  }
  return found
}

t.test('no code advises another craft while the first transaction can still land besides it', async (t) => {
  const all = meanings()
  t.ok(all.size > 150, `${all.size} codes`)
  const advising = [...all].filter(([, meaning]) =>
    /\bcraft (?:again|another|anew|no other)\b|\b(?:sign|draft) (?:it )?a(?:gain|new)\b/i.test(meaning),
  )
  t.same(advising.map(([code]) => code).sort(), Object.keys(JUDGED).sort(), 'every one of them was judged')
  for (const [code, meaning] of advising) {
    if (JUDGED[code] === 'looks first') t.match(meaning, /look (?:it|tx_hash|the transaction) up|waits/, code)
    if (JUDGED[code] === 'never lands') t.match(meaning, /can never land/, code)
  }
})

/** Where refusals of broadcasts are written: what they say themselves, and whether what others say is restated. */
const BROADCASTS = {
  'packages/kit-cosmos/src': ['broadcast.ts', 'broadcast-refusal.ts', 'broadcast-fault.ts'],
  'packages/kit-evm/src': ['broadcast.ts', 'mempool.ts'],
  'packages/kit-move/src': ['broadcast.ts'],
  'packages/kit-svm/src': ['broadcast.ts'],
}
/** Sentences with such advice, reviewed one by one. */
const SENTENCES: readonly RegExp[] = [
  /was used by another transaction of the account, .* so that it can never land\. .*'Craft again, if that one did not do what this one was to do\.'/,
  /so that it can never land\. (?:Look tx_hash up, and c|C)raft again/,
  /below what every transaction with its data costs, so that it can never land\. Craft again/,
]

t.test('no sentence of a broadcast advises it either', async (t) => {
  const root = join(import.meta.dirname, '../..')
  for (const [folder, files] of Object.entries(BROADCASTS))
    for (const file of files) {
      const lines = readFileSync(join(root, folder, file), 'utf8').split('\n')
      for (const line of lines.filter((each) => /craft again/i.test(each) && !/^\s*(?:\*|\/\/|\/\*\*)/.test(each)))
        t.ok(
          SENTENCES.some((sentence) => sentence.test(line)),
          `${folder}/${file}: ${line.trim()}`,
        )
    }
})
