import { membersOf } from '@svc/contract'
import { type RecordedNode, recordings } from '@svc/testing/recordings'
import t, { type Test } from 'tap'
import { evm, revertReason } from '../src/index.ts'
import { contextOf, nodeOf, RpcError } from './support/node.ts'
import { vector } from './support/vector.ts'

/** Errors that nodes gave to the calls of a kind. */
function refusalsOf(kind: string): readonly (readonly [name: string, error: RpcError])[] {
  return (['geth', 'anvil'] satisfies readonly RecordedNode[]).flatMap((node) =>
    [...recordings(node)].flatMap(([name, { response }]) => {
      const { code, message, data } = membersOf(membersOf(response.body).error)
      if (!name.startsWith(`${kind}-`) || message === undefined) return []
      const error = new RpcError(Number(code), String(message), typeof data === 'string' ? data : undefined)
      return [[`${node} ${name}`, error] as const]
    }),
  )
}

interface Refused {
  readonly statusCode: number
  readonly code: string
  readonly message: string
  readonly txHash: string | undefined
}

async function refusedBy(t: Test, error: RpcError, more: Record<string, unknown> = {}): Promise<Refused> {
  const ctx = contextOf(nodeOf({ eth_sendRawTransaction: error, eth_getTransactionByHash: null, ...more }))
  t.teardown(() => ctx.client.destroy())
  return evm.broadcast(ctx, { signed_tx_hex: vector.signed }).then(
    () => ({ statusCode: 200, code: '', message: 'it is known', txHash: undefined }),
    (refused) => refused as Refused,
  )
}

/** What every recorded refusal of a pool means, reviewed one by one. */
const SENT: Readonly<Record<string, string>> = {
  'geth send-bad-signature': 'CHAIN_REFUSED',
  'geth send-cut': 'CHAIN_REFUSED',
  'geth send-delegated-gap-nolocals': 'EARLIER_PENDING',
  'geth send-delegated-second-nolocals': 'EARLIER_PENDING',
  'geth send-fee-cap': 'CHAIN_REFUSED',
  'geth send-floor-data-gas': 'GAS_LIMIT_TOO_LOW',
  'geth send-gas-above-block': 'CHAIN_REFUSED',
  'geth send-gas-above-tx-cap': 'CHAIN_REFUSED',
  'geth send-high-s': 'CHAIN_REFUSED',
  'geth send-initcode': 'CHAIN_REFUSED',
  'geth send-insufficient-empty': 'INSUFFICIENT_BALANCE',
  'geth send-insufficient-gas': 'INSUFFICIENT_BALANCE',
  'geth send-insufficient-queued': 'INSUFFICIENT_BALANCE',
  'geth send-insufficient-value': 'INSUFFICIENT_BALANCE',
  'geth send-intrinsic': 'GAS_LIMIT_TOO_LOW',
  'geth send-no-0x': 'CHAIN_REFUSED',
  'geth send-no-params': 'CHAIN_REFUSED',
  'geth send-nonce-too-low': 'NONCE_USED',
  'geth send-odd-hex': 'CHAIN_REFUSED',
  'geth send-other-chain': 'CHAIN_ID_MISMATCH',
  'geth send-oversized': 'CHAIN_REFUSED',
  'geth send-pool-full-cheap-nolocals': 'FEE_TOO_LOW',
  'geth send-pool-full-future-nolocals': 'MEMPOOL_FULL',
  'geth send-price-zero': 'FEE_TOO_LOW',
  'geth send-replaced-again': 'NONCE_PENDING',
  'geth send-replacement-below-bump': 'NONCE_PENDING',
  'geth send-replacement-same-price': 'NONCE_PENDING',
  'geth send-tip-above-cap': 'CHAIN_REFUSED',
  'geth send-trailing': 'CHAIN_REFUSED',
  'geth send-twice-in-pool': '',
  'geth send-twice-mined': 'NONCE_USED',
  'geth send-type-5': 'CHAIN_REFUSED',
  'geth send-unprotected': 'CHAIN_REFUSED',
  'geth send-unsigned': 'CHAIN_REFUSED',
  'anvil send-bad-signature': 'CHAIN_REFUSED',
  'anvil send-cap-below-base-fee': 'FEE_TOO_LOW',
  'anvil send-cut': 'CHAIN_REFUSED',
  'anvil send-gas-above-block': 'NONCE_PENDING',
  'anvil send-gas-above-tx-cap': 'NONCE_PENDING',
  'anvil send-high-s': 'INSUFFICIENT_BALANCE',
  'anvil send-initcode': 'CHAIN_REFUSED',
  'anvil send-insufficient-empty': 'INSUFFICIENT_BALANCE',
  'anvil send-insufficient-gas': 'INSUFFICIENT_BALANCE',
  'anvil send-insufficient-value': 'INSUFFICIENT_BALANCE',
  'anvil send-intrinsic': 'GAS_LIMIT_TOO_LOW',
  'anvil send-no-0x': 'NONCE_PENDING',
  'anvil send-no-params': 'CHAIN_REFUSED',
  'anvil send-nonce-too-low': 'NONCE_USED',
  'anvil send-odd-hex': 'CHAIN_REFUSED',
  'anvil send-price-below-base-fee': 'FEE_TOO_LOW',
  'anvil send-price-zero': 'FEE_TOO_LOW',
  'anvil send-replaced-again': 'NONCE_PENDING',
  'anvil send-replacement-same-price': 'NONCE_PENDING',
  'anvil send-tip-above-cap': 'CHAIN_REFUSED',
  'anvil send-trailing': 'NONCE_PENDING',
  'anvil send-twice-in-pool': '',
  'anvil send-twice-mined': 'NONCE_USED',
  'anvil send-type-5': 'CHAIN_REFUSED',
  'anvil send-unprotected': 'NONCE_PENDING',
  'anvil send-unsigned': 'CHAIN_REFUSED',
}

/** The sentence of each code, for the nonce 1 of the vector. */
const SENTENCES: Readonly<Record<string, string>> = {
  '': 'it is known',
  CHAIN_ID_MISMATCH: 'The chain refused the transaction. It was signed for another chain.',
  EARLIER_PENDING:
    'The chain refused the transaction. An earlier transaction of this account waits, and the node takes no further one of such an account meanwhile. Send the same one again when that has landed.',
  FEE_TOO_LOW:
    'The chain refused the transaction. Its gas price is below what the node takes now. Send the same one again when fees have fallen, or one that pays more: only one of the two can land as long as both have nonce NONCE.',
  GAS_LIMIT_TOO_LOW:
    'The chain refused the transaction. Its gas limit is below what every transaction with its data costs, so that it can never land. Craft again.',
  INSUFFICIENT_BALANCE:
    'The chain refused the transaction. The account does not cover its amount and fee now, together with what it has waiting. Fund it and send the same one again, or make one with a smaller amount: only one of the two can land as long as both have nonce NONCE.',
  MEMPOOL_FULL: "The chain's node takes no transactions at the moment. Send the same one again in a few seconds.",
  NONCE_PENDING:
    "The chain refused the transaction. A transaction of this account with the same nonce NONCE waits in the node's pool, and this one does not pay enough more to take its place. One of them will land: wait for it, and make no other before, since it would get the next nonce and land as well.",
  NONCE_USED:
    'The chain refused the transaction. Its nonce NONCE is used: a transaction of this account with that nonce is in a block. That may be this very one: look tx_hash up before you make another.',
}

/** What Monad's nodes say, by their source. @see https://github.com/category-labs/monad-bft (monad-eth-txpool-types/src/lib.rs and monad-rpc/src/handlers/eth/txn.rs, read 2026-11-24) */
const MONAD: Readonly<Record<string, string>> = {
  'An existing transaction had higher priority': 'NONCE_PENDING',
  'Another transaction has higher priority': 'NONCE_PENDING',
  'A newer transaction had higher priority': 'NONCE_PENDING',
  'Transaction nonce too low': 'NONCE_USED',
  'Transaction fee too low': 'FEE_TOO_LOW',
  'Signer had insufficient balance': 'INSUFFICIENT_BALANCE',
  'Gas limit too low': 'GAS_LIMIT_TOO_LOW',
  'Transaction pool is full': 'MEMPOOL_FULL',
  'Transaction pool is not ready': 'MEMPOOL_FULL',
  'Invalid chain ID': 'CHAIN_ID_MISMATCH',
  'Invalid chain ID: expected 143, got 1': 'CHAIN_ID_MISMATCH',
  'Max priority fee too high': 'CHAIN_REFUSED',
  'Init code size limit exceeded': 'CHAIN_REFUSED',
  'Encoded length limit exceeded': 'CHAIN_REFUSED',
  'Exceeds transaction gas limit': 'CHAIN_REFUSED',
  'Exceeds block gas limit': 'CHAIN_REFUSED',
  'Invalid transaction signature': 'CHAIN_REFUSED',
  'Transaction signature is invalid': 'CHAIN_REFUSED',
  'Unsupported transaction type': 'CHAIN_REFUSED',
  'EIP7702 authorization list empty': 'CHAIN_REFUSED',
  'EIP7702 authorization list length limit exceeded': 'CHAIN_REFUSED',
  'Transaction decoding error': 'CHAIN_REFUSED',
  'Unprotected transactions (pre-EIP155) are not allowed over RPC': 'CHAIN_REFUSED',
  'overloaded, try again later': 'UPSTREAM_BUSY',
  'rpc no longer tracking tx': 'UPSTREAM_ERROR',
  rejected: 'UPSTREAM_ERROR',
  'Internal error': 'UPSTREAM_ERROR',
}

const STATUS: Readonly<Record<string, number>> = { '': 200, MEMPOOL_FULL: 503, UPSTREAM_BUSY: 503, UPSTREAM_ERROR: 502 }

t.test('each recorded refusal of a pool has its code, its status and a sentence that is true of it', async (t) => {
  const found = refusalsOf('send')
  t.same(found.map(([name]) => name).sort(), Object.keys(SENT).sort(), 'each one is reviewed, and none that is not recorded')
  for (const [name, error] of found) {
    const { statusCode, code, message, txHash } = await refusedBy(t, error)
    const wanted = SENT[name] ?? ''
    t.same([code, statusCode], [wanted, STATUS[wanted] ?? 400], name)
    const words = `The chain refused the transaction: ${error.message.slice(0, 200)}.`
    t.equal(message.replaceAll(/nonce \d+/g, 'nonce NONCE'), SENTENCES[wanted] ?? words.replaceAll(/nonce \d+/g, 'nonce NONCE'), name)
    if (statusCode === 400) t.equal(txHash, vector.txHash, `${name}: the hash to look up`)
  }
})

t.test("Monad's refusals are verdicts although their code is that of a fault of the node", async (t) => {
  for (const [words, wanted] of Object.entries(MONAD)) {
    const { statusCode, code } = await refusedBy(t, new RpcError(-32_603, words))
    t.same([code, statusCode], [wanted, STATUS[wanted] ?? 400], words)
  }
})

t.test('another one is advised only where this one can never land', async (t) => {
  for (const [code, sentence] of Object.entries(SENTENCES)) t.equal(/craft/i.test(sentence), code === 'GAS_LIMIT_TOO_LOW', code)
})

t.test('one that waits, or has landed, is no rival of itself', async (t) => {
  const there = { eth_getTransactionByHash: { hash: vector.txHash } }
  const words = ['replacement transaction underpriced', 'nonce too low', 'An existing transaction had higher priority']
  for (const each of words) t.equal((await refusedBy(t, new RpcError(-32_000, each), there)).statusCode, 200, each)
  t.equal((await refusedBy(t, new RpcError(-32_000, 'transaction underpriced'), there)).code, 'FEE_TOO_LOW')
  const ctx = (status: unknown) =>
    contextOf(
      nodeOf({
        eth_sendRawTransaction: new RpcError(-32_603, 'An existing transaction had higher priority'),
        eth_getTransactionByHash: null,
        txpool_statusByHash: status,
      }),
      { txpool_status: true },
    )
  for (const [status, refused] of [
    [{ status: 'tracked' }, false],
    [{ status: 'dropped', reason: 'An existing transaction had higher priority' }, true],
    [new RpcError(-32_601, 'Method not found'), true],
  ] as const) {
    const own = ctx(status)
    t.teardown(() => own.client.destroy())
    const sent = evm.broadcast(own, { signed_tx_hex: vector.signed })
    if (refused) await t.rejects(sent, { code: 'NONCE_PENDING' })
    else t.same(await sent, { tx_hash: vector.txHash })
  }
})

/** What comes of every recorded refusal of a simulation: the chain's reason, or null where the node could not run it. */
const SIMULATED: Readonly<Record<string, string | null>> = {
  'geth call-bad-address': null,
  'geth call-eip1898-unknown': null,
  'geth call-future-block': null,
  'geth call-gas-too-low': 'it runs out of gas',
  'geth call-intrinsic': '',
  'geth call-invalid-opcode': 'it meets an invalid instruction',
  'geth call-old-state': null,
  'geth call-orphan-canonical': null,
  'geth call-out-of-gas': 'it runs out of gas',
  'geth call-price-below-base': null,
  'geth call-revert-custom': 'error 0xe2517d3f',
  'geth call-revert-empty': '',
  'geth call-revert-error-string': 'no entry',
  'geth call-revert-panic': 'panic code 17',
  'geth call-revert-text': 'quota limit exceeded',
  'geth call-value-above-balance': '',
  'geth estimate-allowance': 'it runs out of gas',
  'geth estimate-gas-price-unfunded': 'INSUFFICIENT_FUNDS',
  'geth estimate-invalid-opcode': 'it meets an invalid instruction',
  'geth estimate-out-of-gas': 'it runs out of gas',
  'geth estimate-revert-custom': 'error 0xe2517d3f',
  'geth estimate-revert-empty': '',
  'geth estimate-revert-error-string': 'no entry',
  'geth estimate-revert-panic': 'panic code 17',
  'geth estimate-revert-text': 'quota limit exceeded',
  'geth estimate-value-above-balance': 'INSUFFICIENT_FUNDS',
  'anvil call-bad-address': null,
  'anvil call-eip1898-unknown': null,
  'anvil call-future-block': null,
  'anvil call-gas-too-low': 'it runs out of gas',
  'anvil call-intrinsic': '',
  'anvil call-invalid-opcode': 'it meets an invalid instruction',
  'anvil call-out-of-gas': 'it runs out of gas',
  'anvil call-price-below-base': 'its stack runs over or empty',
  'anvil call-data-and-input': 'its stack runs over or empty',
  'anvil call-eip1898-hash': 'its stack runs over or empty',
  'anvil call-gas-above-cap': 'its stack runs over or empty',
  'anvil call-revert-custom': 'error 0xe2517d3f',
  'anvil call-revert-empty': '',
  'anvil call-revert-error-string': 'no entry',
  'anvil call-revert-panic': 'panic code 17',
  'anvil call-revert-text': 'quota limit exceeded',
  'anvil call-value-above-balance': '',
  'anvil estimate-allowance': 'it runs out of gas',
  'anvil estimate-invalid-opcode': 'it meets an invalid instruction',
  'anvil estimate-out-of-gas': 'it runs out of gas',
  'anvil estimate-revert-custom': 'error 0xe2517d3f',
  'anvil estimate-revert-empty': '',
  'anvil estimate-revert-error-string': 'no entry',
  'anvil estimate-revert-panic': 'panic code 17',
  'anvil estimate-revert-text': 'quota limit exceeded',
}

t.test('each recorded refusal of a simulation is a verdict with its reason, or none of the chain', async (t) => {
  const found = [...refusalsOf('call'), ...refusalsOf('estimate')]
  t.same(found.map(([name]) => name).sort(), Object.keys(SIMULATED).sort(), 'each one is reviewed, and none that is not recorded')
  for (const [name, error] of found) {
    const method = name.includes(' call-') ? 'eth_call' : 'eth_estimateGas'
    const ctx = contextOf(nodeOf({ [method]: error }))
    t.teardown(() => ctx.client.destroy())
    const refused = await ctx.client.send(method, [{}]).catch((error: unknown) => error)
    t.equal(
      membersOf(refused).code === 'INSUFFICIENT_FUNDS' ? 'INSUFFICIENT_FUNDS' : revertReason(refused),
      SIMULATED[name],
      `${name}: ${error.message}`,
    )
  }
})
