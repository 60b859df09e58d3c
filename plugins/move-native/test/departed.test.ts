import { createHash } from 'node:crypto'
import { GrpcTypes } from '@mysten/sui/grpc'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { startStage } from '@svc/conformance'
import { type MoveWallet, moveFamily } from '@svc/conformance/move'
import t from 'tap'
import { operatorName, scenarios } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { altered } from './altered.ts'
import { onChain } from './chain.ts'

const SUI = 1_000_000_000n
const OTHER = `0x${'66'.repeat(32)}`
const { ADDRESS, OBJECT, SHARED, IMMUTABLE, CONSENSUS_ADDRESS } = GrpcTypes.Owner_OwnerKind

const { scenario, chain } = onChain(scenarios[0]!)
const stage = await startStage({ plugin, scenario, family: moveFamily })
t.teardown(() => stage.close())
const { protocol, upstream, direct } = stage
const departed = (address: string, ids: readonly string[]) => protocol.departed!(direct, address, ids)
const idOf = (name: string) => `0x${createHash('sha256').update(name).digest('hex')}`

t.test('whose an object is now is told in the words of the chain, and what cannot be read is left out', async (t) => {
  const { address } = (await stage.player()).wallet
  const id = await chain().move.giveStake(address, operatorName, 5n * SUI)
  const of = async (owner: Partial<GrpcTypes.Owner> | undefined) => {
    upstream.interfere(
      altered('BatchGetObjects', GrpcTypes.BatchGetObjectsResponse, ({ objects }) => {
        for (const { result } of objects) if (result.oneofKind === 'object') Object.assign(result.object, { owner })
      }),
    )
    try {
      return (await departed(address, [id])).get(id)
    } finally {
      upstream.interfere(null)
    }
  }
  const owner = { aspect: 'owner', objectId: id }
  t.same(await of({ kind: ADDRESS, address: OTHER }), [{ ...owner, holder: OTHER, terms: null }])
  t.same(await of({ kind: CONSENSUS_ADDRESS, address: OTHER, version: 5n }), [{ ...owner, holder: OTHER, terms: null }])
  t.same(await of({ kind: OBJECT, address: OTHER }), [{ ...owner, holder: OTHER, terms: 'held by an object', severity: 'warning' }])
  t.same(await of({ kind: SHARED, version: 5n }), [{ ...owner, holder: null, terms: 'shared with everybody' }])
  t.same(await of({ kind: IMMUTABLE }), [{ ...owner, holder: null, terms: 'frozen for good' }])
  t.equal(await of({ kind: ADDRESS, address }), undefined, 'it is the wallet’s still')
  t.equal(await of({ kind: CONSENSUS_ADDRESS, address, version: 5n }), undefined, 'so it is as a party object')
  t.equal(await of({ kind: ADDRESS, address: '0x66' }), undefined, 'an address in another form is none')
  t.equal(await of({ kind: ADDRESS }), undefined)
  t.equal(await of(undefined), undefined)
})

t.test('what is there no more is gone, and a call reads fifty', async (t) => {
  const { address } = (await stage.player()).wallet
  const ids = Array.from({ length: 120 }, (_, index) => idOf(`stake ${index}`))
  const { result, usage } = await upstream.measure(() => departed(address, ids))
  t.same(
    [...result],
    ids.map((id) => [id, null]),
  )
  t.ok(usage.calls <= 4 && usage.waves <= 2, `${usage.calls} calls: three, and one that tells the chain and how far the node is`)
})

t.test('an object that was put into another one is no part of a digest, and can be read', async (t) => {
  const player = await stage.player()
  const { address } = player.wallet
  const id = await chain().move.giveStake(address, operatorName, 5n * SUI)
  const kept = await chain().move.giveStake(address, operatorName, 7n * SUI)
  const read = async () => (await protocol.digests!(direct, [{ address, objects: [id, kept] }])).get(address)
  const before = await read()
  t.equal(before, (await protocol.balance(direct, address)).digest)
  await chain().move.putInto(id, OTHER)
  const after = await read()
  t.not(after, before)
  t.match(after, new RegExp(`^${kept}@\\d+$`))
  t.equal(after, (await protocol.balance(direct, address)).digest)
})

t.test('fungible stake holds what it is worth, whatever others redeem', async (t) => {
  const player = await stage.player()
  const { address, key } = player.wallet as MoveWallet
  const signer = Ed25519Keypair.fromSecretKey(key.export({ format: 'der', type: 'pkcs8' }).subarray(-32))
  const id = await chain().move.giveStake(address, operatorName, 5n * SUI)
  await player.advance({ epochs: 3 })
  const held = async () => (await protocol.balance(direct, address)).objects?.map(({ holds, amount }) => [holds, amount])
  t.same(await held(), [[undefined, 5n * SUI]], 'a stake holds its principal')
  await chain().run(signer, (tx) => {
    const [share] = tx.moveCall({
      target: '0x3::sui_system::convert_to_fungible_staked_sui',
      arguments: [tx.object.system({ mutable: true }), tx.object(id)],
    })
    tx.transferObjects([share!], address)
  })
  const [[holds, amount]] = (await held()) as [[bigint, bigint]]
  t.ok(holds > 5n * SUI && amount <= 5n * SUI, `${holds} ${amount}`)
  await player.advance({ epochs: 1 })
  const [[later]] = (await held()) as [[bigint]]
  t.ok(later > holds)
})
