import { toBech32 } from '@cosmjs/encoding'
import { MsgExec, MsgGrant } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgSetWithdrawAddress, MsgWithdrawDelegatorReward } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { MsgBeginRedelegate, MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import t from 'tap'
import { hubTwo, nodeOf, RpcError } from '../support/node.ts'
import { stakingOn } from '../support/staking.ts'
import { one } from '../support/vectors.ts'

const HEAD = 5_000n
const address = (byte: number) => toBech32('cosmos', new Uint8Array(20).fill(byte))
const [OWNER, OTHER, GRANTEE] = [address(1), address(2), address(3)] as const
const NO_INDEX = new RpcError('transaction indexing is disabled')

const status = (head = HEAD) => ({
  node_info: { network: one.chainId },
  sync_info: {
    ...{ catching_up: false, latest_block_time: '2026-11-21T11:59:55Z', latest_block_height: String(head) },
    ...{ earliest_block_height: '1', earliest_block_time: '2020-01-01T00:00:00Z' },
  },
})

type Message = { readonly typeUrl: string; readonly value: Uint8Array }
const undelegate = (delegatorAddress: string): Message => ({
  typeUrl: MsgUndelegate.typeUrl,
  value: MsgUndelegate.encode(MsgUndelegate.fromPartial({ delegatorAddress, validatorAddress: one.validator })).finish(),
})
const exec = (...msgs: readonly Message[]): Message => ({
  typeUrl: MsgExec.typeUrl,
  value: MsgExec.encode(MsgExec.fromPartial({ grantee: GRANTEE, msgs: [...msgs] })).finish(),
})
const tx = (height: bigint, ...messages: readonly Message[]) => ({
  height: String(height),
  tx: Buffer.from(
    TxRaw.encode(TxRaw.fromPartial({ bodyBytes: TxBody.encode(TxBody.fromPartial({ messages: [...messages] })).finish() })).finish(),
  ).toString('base64'),
})
const answer = (...txs: readonly object[]) => ({ txs, total_count: String(txs.length) })

/** A node with an index, which answers a search by the first word of its condition; and the queries that it was asked. */
function indexed(answers: Readonly<Record<string, unknown>> = {}, head = HEAD) {
  const queries: string[] = []
  const node = nodeOf({
    status: status(head),
    tx_search: ({ query }: { query: string }) => {
      queries.push(query)
      const [name] = Object.keys(answers).filter((word) => query.startsWith(word))
      return name === undefined ? answer() : answers[name]
    },
  })
  return { node, queries }
}
const searching = (nodes: Parameters<typeof stakingOn>[0], settings = {}, chain?: Parameters<typeof stakingOn>[2]) => {
  const { ctx, protocol } = stakingOn(nodes, settings, chain)
  return (after: bigint | null) => protocol.stirrings!.search(ctx as never, after, async () => [])
}

t.test('the first search begins at the head of the chain, and the next ones go on from there', async (t) => {
  const { node, queries } = indexed()
  const search = searching(node)
  t.same(await search(null), { wallets: [], height: HEAD })
  t.same(queries, [])
  t.same(await search(4_990n), { wallets: [], height: HEAD })
  t.same(queries, [
    `withdraw_rewards.validator='${one.validator}' AND tx.height>4980`,
    'set_withdraw_address.withdraw_address EXISTS AND tx.height>4980',
    'cosmos.authz.v1beta1.EventGrant.granter EXISTS AND tx.height>4980',
  ])
  t.equal(node.requests.at(-1), 4, 'in one request, with the state of the node')
  t.same(await search(HEAD + 5_000_000n), { wallets: [], height: HEAD }, 'a height that the chain has not reached is not kept')
})

t.test('each validator of the settings is searched for, and where rewards are parked, each way by which stake leaves it', async (t) => {
  const { node, queries } = indexed()
  const former = toBech32('cosmosvaloper', new Uint8Array(20).fill(9))
  await searching(node, { former_validators: [former] })(4_990n)
  t.match(queries, [/^withdraw_rewards\.validator=/, new RegExp(`^withdraw_rewards.validator='${former}'`), /^set_/, /^cosmos\./])
  const parked = indexed()
  await searching(parked.node, {}, { ...hubTwo, prefix: 'cosmos', denom: 'uatom' })(4_990n)
  t.match(parked.queries, [/^unbond\.validator=/, /^redelegate\.source_validator=/, /^set_/, /^cosmos\./])
})

t.test('whoever takes stake away, or gives power to others, is found by the message, also in what a grantee has run', async (t) => {
  const moves = MsgBeginRedelegate.encode(MsgBeginRedelegate.fromPartial({ delegatorAddress: OTHER })).finish()
  const claims = MsgWithdrawDelegatorReward.encode(MsgWithdrawDelegatorReward.fromPartial({ delegatorAddress: address(7) })).finish()
  const stakes = MsgDelegate.encode(MsgDelegate.fromPartial({ delegatorAddress: address(8) })).finish()
  const sets = MsgSetWithdrawAddress.encode(
    MsgSetWithdrawAddress.fromPartial({ delegatorAddress: OWNER, withdrawAddress: GRANTEE }),
  ).finish()
  const grants = MsgGrant.encode(MsgGrant.fromPartial({ granter: OTHER, grantee: GRANTEE })).finish()
  const { node } = indexed({
    withdraw_rewards: answer(
      tx(
        4_991n,
        undelegate(OWNER),
        { typeUrl: MsgWithdrawDelegatorReward.typeUrl, value: claims },
        { typeUrl: MsgDelegate.typeUrl, value: stakes },
      ),
      tx(4_992n, exec({ typeUrl: MsgBeginRedelegate.typeUrl, value: moves }, exec(undelegate(OWNER)))),
      tx(4_993n, undelegate('cosmos1nobody'), undelegate('')),
    ),
    set_withdraw_address: answer(tx(4_994n, { typeUrl: MsgSetWithdrawAddress.typeUrl, value: sets })),
    'cosmos.authz': answer(tx(4_995n, { typeUrl: MsgGrant.typeUrl, value: grants })),
  })
  t.same(await searching(node)(4_990n), {
    wallets: [
      { wallet: OWNER, height: 4_991n },
      { wallet: OTHER, height: 4_992n },
      { wallet: OWNER, height: 4_992n },
      { wallet: OWNER, height: 4_994n },
      { wallet: OTHER, height: 4_995n },
    ],
    height: HEAD,
  })
})

t.test('a full page is gone on with by the next search, also where one block fills it', async (t) => {
  const full = (height: (index: number) => bigint) =>
    answer(...Array.from({ length: 100 }, (_, index) => tx(height(index), undelegate(OWNER))))
  const { node, queries } = indexed({ withdraw_rewards: full((index) => 4_900n + BigInt(index) / 2n) })
  const search = searching(node)
  const { height } = (await search(4_890n))!
  t.equal(height, 4_958n)
  await search(height!)
  t.match(queries.at(-1), /tx\.height>4948$/, 'the last block of the page is searched again')
  const block = indexed({ cosmos: full(() => 4_895n) })
  t.equal((await searching(block.node)(4_900n))!.height, 4_904n)
  const old = indexed({ cosmos: full(() => 4_881n) })
  t.equal((await searching(old.node)(4_890n))!.height, 4_891n, 'it goes on, in any case')
})

t.test('a node without an index is followed by the next one, and where none has any, nothing is searched', async (t) => {
  const without = nodeOf({ status: status(), tx_search: NO_INDEX })
  const { node } = indexed({ withdraw_rewards: answer(tx(4_991n, undelegate(OWNER))) })
  t.match(await searching([without, node])(4_990n), { wallets: [{ wallet: OWNER }] })
  t.equal(await searching([without])(4_990n), null)
  t.equal(await searching([without, nodeOf({ status: status(), tx_search: NO_INDEX })])(4_990n), null)
})

t.test('what is no answer of an index is an error, and no stirring', async (t) => {
  const bad: readonly unknown[] = [
    answer({ height: '4991', tx: 'not base64' }),
    answer({ height: '0', tx: tx(1n, undelegate(OWNER)).tx }),
    answer({ height: '4991', tx: Buffer.from('no transaction').toString('base64') }),
    answer(...Array.from({ length: 101 }, () => tx(4_991n, undelegate(OWNER)))),
  ]
  for (const each of bad) await t.rejects(searching(indexed({ withdraw_rewards: each }).node)(4_990n), { code: 'UPSTREAM_ERROR' })
})
