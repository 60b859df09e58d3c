import { createClient, type MismatchError, type TrustDocument, type VerifiedTransaction } from '@svc/client'
import { evmThree } from '@svc/intent-evm-three'
import { svmNative } from '@svc/intent-svm-native'
import { eventually } from '@svc/testing/eventually'
import { Wallet as EthersWallet, JsonRpcProvider, Transaction, type TransactionRequest } from 'ethers'
import t from 'tap'
import { freshWallet, get, manager, P, sandbox } from '../support/service.ts'
import { trust } from '../support/trust.ts'

// Wallets that only send tell a hash and nothing else. What they sent is read from the chain, and held against the order before it is followed as that.

const pinned: TrustDocument = await trust()
const svc = createClient({ trust: pinned, apiKey: sandbox.apiKey, protocols: { monad: evmThree, solana: svmNative } })
const provider = new JsonRpcProvider(sandbox.chains['evm:143']!.rpcUrl, 143, { staticNetwork: true, cacheTimeout: -1 })
t.teardown(() => provider.destroy())
const chain = (operation: string, body: object) =>
  fetch(`${sandbox.controlUrl}/chains/evm/143/${operation}`, { method: 'POST', body: JSON.stringify(body) })

/** A wallet as a browser has it, of EIP-1193: it takes a call, chooses nonce, gas and price itself, sends, and answers a hash. */
function browserWallet(privateKey: string, change: TransactionRequest = {}) {
  const own = new EthersWallet(privateKey, provider)
  return {
    async request({ method, params }: { readonly method: string; readonly params: readonly any[] }): Promise<any> {
      const send = async ({ from: _, ...call }: TransactionRequest) => (await own.sendTransaction({ ...call, ...change })).hash
      const [first] = params
      if (method === 'eth_sendTransaction') return send(first)
      if (method === 'wallet_sendCalls') return { id: await send(first.calls[0]) }
      throw new Error(`The wallet has no ${method}.`)
    },
  }
}

async function order(amount = '100') {
  const { address, privateKey } = await freshWallet()
  return { tx: await svc.monad.delegate({ address, amount }), address, privateKey }
}

/** What the wallet makes of an order. */
async function send({ call, request }: VerifiedTransaction, privateKey: string, change?: TransactionRequest): Promise<string> {
  return browserWallet(privateKey, change).request({ method: 'eth_sendTransaction', params: [{ from: request.signer, ...call }] })
}

const followed = async (txHash: string) => (await get(`/api/v1/transactions/${txHash}?protocol=evm-three`, manager)).json
const landed = (txHash: string) =>
  eventually(
    'it is in a block',
    async () => (await svc.monad.status(txHash)).status,
    (status) => status === 'included' || status === 'final',
    200,
  )

t.test('a wallet is handed the call that was checked, in the form of its own standard, and what it does in words', async (t) => {
  const { tx, address } = await order('100.000000000000000001')
  const { payload } = tx.answer as any
  t.same(tx.call, { to: payload.to, value: '0x56bc75e2d63100001', data: payload.data })
  t.equal(tx.deed, `${tx.sentence.split(';')[0]}.`)
  t.match(tx.deed, /^Delegate 100\.000000000000000001 MON to validator 12 .* on eip155:143\.$/)
  payload.data = '0x00'
  payload.to = address
  t.not(tx.call?.data, payload.data, 'nothing of the answer is in it')
  const [{ address: wallet_address }] = sandbox.wallets.svm as any
  t.equal((await svc.solana.stake({ wallet_address, amount: '2' })).call, null, 'which other families do not have')
})

t.test('what a wallet has sent as ordered is followed with its bytes, whichever fee, type and nonce it chose', async (t) => {
  const { tx, privateKey, address } = await order()
  const hash = await send(tx, privateKey, { type: 2, maxFeePerGas: 900_000_000_000n, maxPriorityFeePerGas: 1n, gasLimit: 2_000_000n })
  t.match(await svc.monad.track(hash, { order: tx }), { txHash: hash })
  await landed(hash)
  t.match(await svc.monad.track(hash.toUpperCase().replace('0X', '0x'), { order: tx }), {
    txHash: hash,
    moves: [{ amount: 100n * 10n ** 18n }],
  })
  t.match(await followed(hash), { tx_hash: hash, wallet: address, sentence: /^Delegate 100 MON/ }, 'a hash alone would say none of it')

  const again = await svc.monad.delegate({ address, amount: '100' })
  const { id } = await browserWallet(privateKey, { nonce: 1 }).request({
    method: 'wallet_sendCalls',
    params: [{ version: '2.0.0', chainId: '0x8f', from: address, atomicRequired: false, calls: [again.call] }],
  })
  await t.resolves(svc.monad.track(id, { order: again }))
  await t.rejects(
    svc.monad.track(hash, { order: again }),
    /terms\.nonce should be at least 1; it was crafted with 1 and is 0/,
    'an earlier one',
  )
})

t.test('what a wallet has sent otherwise is told by what differs, and not followed', async (t) => {
  const other = await freshWallet()
  for (const [what, path, change] of [
    ['another amount', 'calls[0].value', { value: 100n * 10n ** 18n - 1n }],
    ['another recipient', 'calls[0].target', { to: other.address }],
    ['another method', 'calls[0].method', { data: '0x12345678', gasLimit: 100_000n }],
    ['another validator', 'calls[0].args.validator', { data: `0x84994fec${'0d'.padStart(64, '0')}`, gasLimit: 2_000_000n }],
    ['bytes behind the call', 'bytes', { data: `0x84994fec${'0c'.padStart(64, '0')}00`, gasLimit: 2_000_000n }],
    ['a list of slots', 'bytes', { type: 2, accessList: [{ address: other.address, storageKeys: [] }] }],
  ] as const) {
    const { tx, privateKey } = await order()
    const hash = await send(tx, privateKey, change as TransactionRequest)
    const error = (await svc.monad.track(hash, { order: tx }).catch((error: unknown) => error)) as MismatchError
    t.match(error, { name: 'MismatchError', txHash: hash, message: /^What was sent is not what was asked for: / }, what)
    t.equal(error.mismatches?.[0]?.path, path, what)
    t.match(await followed(hash), { code: 'TRANSACTION_NOT_FOLLOWED' }, what)
  }
  const { tx } = await order()
  const hash = await send(tx, other.privateKey)
  await t.rejects(svc.monad.track(hash, { order: tx }), { name: 'MismatchError', mismatches: [{ path: 'signers[0]' }] }, 'another account')
})

t.test('a wallet that sends once more at a higher price has the second one compared as the first', async (t) => {
  const { tx, privateKey } = await order()
  await chain('hold', { on: true })
  t.teardown(() => chain('hold', { on: false }))
  const first = await send(tx, privateKey, { nonce: 0, gasLimit: 2_000_000n })
  t.match(await svc.monad.track(first, { order: tx }), { txHash: first, status: 'pending' })
  const faster = await send(tx, privateKey, {
    nonce: 0,
    gasLimit: 2_000_000n,
    type: 2,
    maxFeePerGas: 900_000_000_000n,
    maxPriorityFeePerGas: 500_000_000_000n,
  })
  await chain('hold', { on: false })
  await chain('mine', { blocks: 5 })
  const { replacedBy, replacedBySame } = await svc.monad.settled(first)
  t.same([replacedBy, replacedBySame], [faster, true])
  t.match(await svc.monad.track(String(replacedBy), { order: tx }), { txHash: faster, moves: [{ amount: 100n * 10n ** 18n }] })
})

t.test('a wallet that takes the order back by its nonce has sent something else', async (t) => {
  const { tx, privateKey, address } = await order()
  const cancelled = await send(tx, privateKey, { to: address, value: 0n, data: '0x' })
  await t.rejects(svc.monad.track(cancelled, { order: tx }), {
    name: 'MismatchError',
    mismatches: [{ path: 'calls[0].target' }, { path: 'calls[0].method' }],
  })
})

t.test('a hash that no endpoint shows is waited for, until the caller ends it or one does', async (t) => {
  const { tx, privateKey } = await order()
  const signed = await new EthersWallet(privateKey).signTransaction({
    ...tx.call,
    nonce: 0,
    gasLimit: 2_000_000n,
    gasPrice: 900_000_000_000n,
    chainId: 143,
  })
  const hash = String(Transaction.from(signed).hash)
  const unseen = await get(`${P}/transaction/${hash}/signed`)
  t.match(unseen, { status: 503, json: { code: 'TRANSACTION_UNSEEN', error: /^No endpoint shows a transaction of that hash/ } })
  const ending = new AbortController()
  const waiting = svc.monad.track(hash, { order: tx, signal: ending.signal })
  ending.abort(new Error('the caller has enough'))
  await t.rejects(waiting, /the caller has enough/)
  const tracking = svc.monad.track(hash, { order: tx })
  await provider.send('eth_sendRawTransaction', [signed])
  t.match(await tracking, { txHash: hash })
})

t.test('an order of a family whose hash is none of its bytes is not compared by it', async (t) => {
  const [{ address: wallet_address }] = sandbox.wallets.svm as any
  const order = await svc.solana.stake({ wallet_address, amount: '2' })
  await t.rejects(svc.solana.track('1'.repeat(88), { order }), { name: 'SetupError', message: /not compared by its hash/ })
  await t.rejects(svc.monad.track('0x', { ordered: order } as never), { name: 'SetupError' })
})
