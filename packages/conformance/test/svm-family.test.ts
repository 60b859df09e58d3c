import { readFileSync } from 'node:fs'
import { layouts as poolLayouts } from '@svc/intent-svm-liquid'
import { layouts as ownLayouts } from '@svc/intent-svm-native'
import { check, type Effects } from '@svc/verify'
import { decodeSvm, type SvmCraft } from '@svc/verify/svm'
import t from 'tap'
import { svmFamily } from '../src/families/svm/family.ts'

interface Vector {
  readonly name: string
  readonly unsigned: string
}

const file = new URL('../../kit-svm/test/vectors/transactions.json', import.meta.url)
const { transactions } = JSON.parse(readFileSync(file, 'utf8')) as { transactions: readonly Vector[] }

const pool = poolLayouts({ chainId: 'mainnet-beta', token_program: '' })
const layouts = [...ownLayouts, ...pool.filter(({ address }) => !ownLayouts.some((own) => own.address === address))]

/** A transaction with what it does and must go on doing. */
function subjectOf({ name, unsigned }: Vector) {
  const craft: SvmCraft = { unsigned_tx_hex: unsigned }
  const decoded = decodeSvm(craft, layouts)
  const effects: Effects = { signers: decoded.signers!, calls: decoded.calls }
  const bounds = { chainId: 'mainnet-beta', maxFee: 1_000_000n, terms: decoded.terms }
  const passes = (forged: SvmCraft, within: Parameters<typeof check>[2] = bounds) => {
    try {
      return check(decodeSvm(forged, layouts), effects, within).length === 0
    } catch {
      return false
    }
  }
  return { name, craft, effects, bounds, passes, fields: svmFamily.fields(craft), forgeries: svmFamily.forgeries(craft, effects) }
}

const subjects = transactions.map(subjectOf)

for (const { name, craft, effects, bounds, passes, fields, forgeries } of subjects)
  t.test(`${name}: it passes itself, and everything forged is refused where it says`, async (t) => {
    t.ok(passes(craft), 'itself')
    const all = [...fields, ...forgeries]
    for (const forgery of all) t.notSame(forgery.unsigned, craft, forgery.name)
    t.equal(new Set(all.map((forgery) => forgery.name)).size, all.length, 'names are unique, since an attack is found by its name')
    t.same(
      all.filter(({ unsigned }) => passes(unsigned)).map((forgery) => forgery.name),
      [],
    )
    const elsewhere = all.filter(({ unsigned, at }) => {
      if (at === undefined) return false
      try {
        return !check(decodeSvm(unsigned, layouts), effects, bounds).some(({ path }) => path.startsWith(at))
      } catch {
        return at !== 'bytes'
      }
    })
    t.same(
      elsewhere.map(({ name, at }) => `${name}: ${at}`),
      [],
    )
    t.ok(fields.length > 80, `${fields.length} fields`)
    t.ok(forgeries.length > 50, `${forgeries.length} forgeries`)
    t.ok(forgeries.some(({ attack }) => attack))
  })

t.test('everything that a thief would change is among them', async (t) => {
  const [stake, nonce, unstake, , , liquid] = subjects
  const has = ({ fields, forgeries }: (typeof subjects)[number], ...names: string[]) => {
    const all = [...fields, ...forgeries].map(({ name }) => name)
    for (const name of names) t.ok(all.includes(name), name)
  }
  has(
    stake!,
    'somebody else pays the fee',
    'somebody else is the wallet',
    'a change of the withdrawer at the end',
    'a lockup at the end',
    'a transfer to somebody else at the end',
    'a price that empties the wallet',
    'call 0: lamports tenfold, at byte 4',
    "call 1: withdrawer is somebody else's, at byte 36",
    "instruction 4, account 1: somebody else's",
    'the signature of the new account taken away',
    'header: signers + 1',
    'block hash: byte 31',
    'format: a versioned message',
  )
  has(nonce!, "instruction 0, account 0: somebody else's", 'instruction 0 left out', 'instructions 0 and 1 swapped')
  has(unstake!, "instruction 2, account 0: somebody else's")
  has(liquid!, "instruction 3, account 4: somebody else's", 'call 1: lamports tenfold, at byte 1', 'instruction 4, byte 50 + 1')
})

t.test('a check without the terms lets another block hash through', async (t) => {
  const { passes, fields, bounds } = subjects[0]!
  const { terms: _, ...without } = bounds
  const other = fields.find(({ name }) => name === 'block hash: byte 0')!
  t.ok(passes(other.unsigned, without))
  t.notOk(passes(other.unsigned, bounds))
})

t.test('a wallet signs what was crafted, and no two wallets are the same', async (t) => {
  const [one, two] = [svmFamily.wallet(0), svmFamily.wallet(1)]
  t.not(one.address, two.address)
  t.equal(svmFamily.wallet(0).address, one.address)
  const craft = subjects[2]!.craft
  const body = (await svmFamily.sign(craft, one)) as { signatures: string[]; unsigned_tx_hex: string }
  t.equal(body.unsigned_tx_hex, craft.unsigned_tx_hex)
  t.equal(body.signatures.length, 1)
  t.equal(body.signatures[0]!.length, 128)
  const bad = svmFamily.badPrepares(body)
  for (const { name, body: wrong } of bad) t.strictNotSame(wrong, body, name)
  t.ok(bad.length > 30)
})

t.test('garbled answers are JSON, and none is the good one', async (t) => {
  for (const good of [
    '{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1},"value":[null]}}',
    '{"jsonrpc":"2.0","id":1,"result":2282880}',
    '{"jsonrpc":"2.0","id":1,"result":"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"}',
  ]) {
    const garbled = svmFamily.garble(good)
    t.ok(garbled.length > 10)
    for (const text of garbled) t.strictNotSame(JSON.parse(text), JSON.parse(good), text)
  }
})
