import { AuthInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import t from 'tap'
import { signed, timed } from './support/history.ts'
import { connect, hubOne, silent } from './support/node.ts'
import { one, send } from './support/vectors.ts'

const { kit, ctx } = connect(hubOne, silent)
const raw = signed(one.stake)
const bounds = (bytes: Uint8Array) => kit.life!.bounds({ signed_tx_hex: Buffer.from(bytes).toString('hex') }, ctx.network)

t.test('a hash is 64 hexadecimal digits of either case, and told in upper case', async (t) => {
  t.equal(kit.life!.hash(`0x${one.stake.txHash.toLowerCase()}`), one.stake.txHash)
  for (const text of ['', 'abc', one.stake.txHash.slice(1), `${one.stake.txHash}0`, 'z'.repeat(64)])
    t.throws(() => kit.life!.hash(text), { statusCode: 400, code: 'TX_HASH_INVALID', message: /64 hexadecimal digits/ }, text)
})

t.test('signed bytes say who signs, which sequence they use, and until when', async (t) => {
  const does = bounds(raw).facts.does
  t.match(does, /^[0-9a-f]{64}$/, 'what it does')
  t.not(bounds(signed(send as never)).facts.does, does, 'another message')
  t.same(bounds(raw), {
    wallet: one.address,
    validUntil: { kind: 'sequence', value: '7', estimatedAt: null },
    facts: { sequence: '7', fee: '1500', does },
  })
  t.match(bounds(timed({ timeoutHeight: 1200n })), {
    validUntil: { kind: 'block_height', value: '1200' },
    facts: { sequence: '7', timeout_height: '1200' },
  })
  const at = new Date('2026-11-21T12:00:00Z')
  const unordered = timed({ unordered: true, timeoutTimestamp: { seconds: BigInt(at.getTime() / 1000), nanos: 0 } })
  t.same(bounds(unordered), {
    wallet: one.address,
    validUntil: { kind: 'block_height', value: null, estimatedAt: at },
    facts: { timeout_at: at.toISOString(), fee: '1500', does },
  })
  const { bodyBytes, authInfoBytes } = TxRaw.decode(raw)
  const authInfo = AuthInfo.decode(authInfoBytes)
  delete authInfo.signerInfos[0]!.publicKey
  const bytes = TxRaw.encode({ bodyBytes, authInfoBytes: AuthInfo.encode(authInfo).finish(), signatures: [new Uint8Array(64)] }).finish()
  t.throws(() => bounds(bytes), { statusCode: 400, code: 'TRANSACTION_INVALID', message: /key of its first signer/ })
  t.equal(bounds(signed(send as never)).wallet, send.address)
  t.same(kit.life!.validUntil({} as never, {} as never, { sequence: 8n }, at), { kind: 'sequence', value: '8', estimatedAt: null })
})
