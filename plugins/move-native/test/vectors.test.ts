import { Inputs, Transaction, TransactionDataBuilder } from '@mysten/sui/transactions'
import { fromHex, toBase58, toBase64 } from '@mysten/sui/utils'
import type { MoveDraft } from '@svc/kit-move'
import t from 'tap'
import plugin from '../src/index.ts'
import vectors from './vectors/transactions.json' with { type: 'json' }

const { actions, kit } = plugin.protocol
const network = { name: 'vectors', chainId: 'mainnet', maxFee: 10n ** 9n, validator: vectors.validator, max_checkpoint_age: 900 }

type Reference = (typeof vectors)['stakedSui']
const reference = ({ objectId, version, digest }: Reference) => ({ objectId, version, digest: toBase58(fromHex(digest)) })

/** The draft's bytes with everything that a node would add. */
async function bytesOf({ sender, build }: MoveDraft, object?: Reference): Promise<Uint8Array> {
  const tx = new Transaction()
  tx.setSender(sender)
  tx.setGasPrice(BigInt(vectors.gas.price))
  tx.setGasBudget(BigInt(vectors.gas.budget))
  tx.setGasPayment(vectors.gas.payment.map(reference))
  if (object) {
    // An input that is known by its reference is taken where only its id is named.
    tx.object.system({ mutable: true })
    tx.object(Inputs.ObjectRef(reference(object)))
  }
  build(tx)
  return tx.build()
}

for (const { name, action, input, facts, object, expected } of [
  { name: 'a stake', action: 'stake', input: { amount: BigInt(vectors.amount) }, expected: vectors.stake },
  {
    name: 'a withdrawal',
    action: 'unstake',
    input: { staked_sui_object_id: vectors.stakedSui.objectId },
    facts: { fungible: false },
    object: vectors.stakedSui,
    expected: vectors.withdraw,
  },
  {
    name: 'a redemption',
    action: 'unstake',
    input: { staked_sui_object_id: vectors.fungibleStakedSui.objectId },
    facts: { fungible: true },
    object: vectors.fungibleStakedSui,
    expected: vectors.redeem,
  },
])
  t.test(`${name} has the bytes of the vector, and they do what was promised`, async (t) => {
    const given = { wallet_address: vectors.sender, ...input }
    const draft = actions[action]!.craft(network, given, facts) as MoveDraft
    const bytes = await bytesOf(draft, object)
    t.equal(toBase64(bytes), expected.unsigned_tx_b64)
    t.equal(TransactionDataBuilder.getDigestFromBytes(bytes), expected.digest)

    const effects = actions[action]!.effects(network, given, facts)
    const decoded = kit.decode({ unsigned_tx_b64: expected.unsigned_tx_b64 }, effects, network, {})
    t.same(decoded.calls, effects.calls)
    t.same(decoded.signers, effects.signers)
  })

t.test('effects name every id in full, however it came', async (t) => {
  const given = { wallet_address: vectors.sender, staked_sui_object_id: `0X${'AB'.repeat(32)}` }
  const { calls } = actions.unstake!.effects(network, given, { fungible: false })
  t.equal(calls[0]!.args.stakedSui, `0x${'ab'.repeat(32)}`)
})
