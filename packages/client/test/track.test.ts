import { Transaction, type TransactionLike, Wallet } from 'ethers'
import t, { type Test } from 'tap'
import { clientOf, craftAt, refused, type ServiceAnswer, said, wanted } from './support/service.ts'
import { mockTimers } from './support/timers.ts'

// A service that shows what it likes of what a wallet has sent: it is believed by the bytes alone.

const wallet = new Wallet(`0x${'11'.repeat(32)}`)
const unseen = refused(503, 'TRANSACTION_UNSEEN')

/** Order of 100 with the nonce 3, and what a service shows of what was sent, one answer after the other. */
async function orderOf(t: Test, ...shown: readonly (ServiceAnswer | string)[]) {
  mockTimers(t)
  const bytes = shown.map((each) => (typeof each === 'string' ? said({ signed_tx_hex: each }) : each))
  const { monad, asked } = clientOf(
    ({ method, path, body = '{}' }) => {
      if (path === '/action/delegate') return said(craftAt(3))
      if (path.endsWith('/signed')) return (bytes.length > 1 ? bytes.shift() : bytes[0]) ?? unseen
      const sent = JSON.parse(body)
      const txHash = method === 'GET' ? path.split('/').at(-1) : (sent.tx_hash ?? Transaction.from(sent.signed_tx_hex).hash)
      return said({
        ...{ tx_hash: txHash, status: 'pending', finality: 'none', certainty: 'proven', network: 'eip155:143', block: null, fee: null },
        ...{ moves: [], object_ids: [], error: null, replaced_by: null, valid_until: null, checked_at: '2026-11-29T12:00:00Z' },
      })
    },
    { retries: 0 },
  )
  const tx = await monad.delegate(wanted)
  const paths = () =>
    asked.slice(1).map(({ method, path, body }) => `${method} ${path.replace(/0x[0-9a-f]{64}/i, '{tx_hash}')} ${body ?? ''}`.trim())
  return { tx, monad, paths }
}

async function sent(changes: TransactionLike = {}, by = wallet): Promise<{ readonly hash: string; readonly bytes: string }> {
  const { payload } = craftAt(3) as { readonly payload: TransactionLike & { readonly gasLimit: string } }
  const { to, data, value } = payload
  const own = { type: 0, to, data, value, chainId: 143, nonce: 3, gasLimit: 1_000_000n, gasPrice: 900_000_000_000n, ...changes }
  const bytes = await by.signTransaction(own as TransactionLike<string>)
  return { hash: String(Transaction.from(bytes).hash), bytes }
}

t.test('the call of a checked craft is written anew, for a wallet that sends', async (t) => {
  const { tx } = await orderOf(t)
  const { payload } = tx.answer as { payload: Record<string, string> }
  t.same(tx.call, { to: payload.to, value: payload.value, data: payload.data })
  t.equal(tx.deed, 'Delegate 100 MON to validator 12 through 0x0000000000000000000000000000000000001000 on eip155:143.')
})

t.test('what was sent is waited for, compared, and followed with its bytes, at one call more for each look', async (t) => {
  const { hash, bytes } = await sent()
  const { tx, monad, paths } = await orderOf(t, unseen, unseen, new TypeError('fetch failed'), bytes)
  t.match(await monad.track(hash, { order: tx }), { txHash: hash, status: 'pending' })
  const look = 'GET /transaction/{tx_hash}/signed'
  t.same(paths(), [look, look, look, look, `POST /transaction/track {"signed_tx_hex":"${bytes}"}`])
})

t.test('of a service that shows other bytes nothing is believed', async (t) => {
  const own = await sent()
  const stranger = new Wallet(`0x${'22'.repeat(32)}`)
  const craft = craftAt(3) as { readonly serialized_tx_hex: string }
  for (const [what, shown, paths] of [
    ['a later one that does the same', (await sent({ nonce: 4 })).bytes, ['tx_hash']],
    ['the same at another price', (await sent({ gasPrice: 1n })).bytes, ['tx_hash']],
    ['one of another account', (await sent({}, stranger)).bytes, ['signers[0]']],
    ['one of an earlier order', (await sent({ nonce: 2 })).bytes, ['terms.nonce']],
    ['one on another chain', (await sent({ chainId: 1 })).bytes, ['chainId']],
    ['another amount', (await sent({ value: 1n })).bytes, ['calls[0].value']],
    ['the craft itself, which nobody has signed', craft.serialized_tx_hex, ['signatures']],
    ['no bytes', 'undefined', ['bytes']],
  ] as const) {
    const { tx, monad, paths: asked } = await orderOf(t, shown)
    const error = (await monad.track(own.hash, { order: tx }).catch((error: unknown) => error)) as {
      readonly mismatches?: readonly { readonly path: string }[]
    }
    t.match(error, { name: 'MismatchError', txHash: own.hash, message: /may have been sent: look it up/ }, what)
    t.same(
      error.mismatches?.map(({ path }) => path),
      paths,
      what,
    )
    t.equal(asked().length, 1, `${what}: not followed`)
  }
})

t.test('fee, gas and nonce are the choice of a wallet that sends, whatever was pinned', async (t) => {
  for (const changes of [
    { gasPrice: 10n ** 15n },
    { gasLimit: 21_001n },
    { nonce: 3_000 },
    { type: 2, gasPrice: undefined, maxFeePerGas: 10n ** 15n, maxPriorityFeePerGas: 0n },
  ]) {
    const { hash, bytes } = await sent(changes as TransactionLike)
    const { tx, monad } = await orderOf(t, bytes)
    t.match(await monad.track(hash, { order: tx }), { txHash: hash }, Object.keys(changes).join())
  }
})

t.test('a refusal to show the bytes is told with the hash, and not waited out', async (t) => {
  const { tx, monad } = await orderOf(t, refused(400, 'TRANSACTION_INVALID'))
  const hash = `0x${'ab'.repeat(32)}`
  await t.rejects(monad.track(hash, { order: tx }), { name: 'ServiceError', code: 'TRANSACTION_INVALID', txHash: hash })
  const given = new AbortController()
  const waiting = await orderOf(t, unseen)
  const tracking = waiting.monad.track(hash, { order: waiting.tx, signal: given.signal })
  given.abort(new RangeError('enough'))
  await t.rejects(tracking, { name: 'RangeError', message: 'enough' })
})
