import { beginRedelegate, move as promised } from '@example/intent-moves'
import { checkPlugin } from '@svc/conformance'
import { type CosmosMessage, call } from '@svc/verify/cosmos'
import t from 'tap'
import { move } from '../src/actions.ts'
import moves from '../src/index.ts'
import { defineAction, definePlugin } from '../src/network.ts'
import { options } from './options.ts'

// What an intent's author may get wrong about the message, and that the first craft says so.

const { delegator, source, target, amount } = beginRedelegate.fields
const lied = (fields: CosmosMessage['fields']): CosmosMessage => ({ ...beginRedelegate, fields })

/** A layout, and what the first craft says to it. */
const LIES: Readonly<Record<string, readonly [CosmosMessage, string]>> = {
  'two validators exchanged': [
    lied({ delegator, source: { ...source, number: 3 }, target: { ...target, number: 2 }, amount }),
    'calls[0].args.source',
  ],
  'a field left out': [lied({ delegator, source, amount }), 'which is not known'],
  'a field at another number': [lied({ delegator, source, target, amount: { ...amount, number: 5 } }), 'which is not known'],
  'an account in place of a validator': [
    lied({ delegator, source, target: { number: 3, kind: 'account' }, amount }),
    'body.messages[0].target is',
  ],
  'a number in place of a text': [lied({ delegator, source, target: { number: 3, kind: 'uint64' }, amount }), 'it must be a varint'],
  'a coin without its denom': [
    lied({ delegator, source, target, amount: { number: 4, kind: 'message', fields: { amount: { number: 2, kind: 'amount' } } } }),
    'which is not known',
  ],
  'denom and amount exchanged': [
    lied({
      delegator,
      source,
      target,
      amount: { number: 4, kind: 'message', fields: { denom: { number: 2, kind: 'text' }, amount: { number: 1, kind: 'amount' } } },
    }),
    'positive integer',
  ],
  'a coin as bytes': [lied({ delegator, source, target, amount: { number: 4, kind: 'bytes' } }), 'calls[0].args'],
  'another type': [{ ...beginRedelegate, type: '/cosmos.staking.v1beta1.MsgBeginRedelegation' }, 'unknown message'],
  'no signer': [lied({ delegator: { number: 1, kind: 'account' }, source, target, amount }), 'no field of kind signer'],
}

/** The plugin with an intent that lays its message out like this. */
function withLayout(layout: CosmosMessage) {
  const lying = defineAction({
    ...move,
    effects(network, input) {
      const effects = promised.effects(network, input)
      return { ...effects, calls: effects.calls.map(({ args, value }) => call(layout, args, value)), layouts: [layout] }
    },
  })
  return definePlugin({ ...moves.protocol, actions: { move: lying } })
}

for (const [name, [layout, said]] of Object.entries(LIES))
  t.test(`a layout with ${name} is found out by the group that tampers`, async (t) => {
    const results = await checkPlugin({ ...options, plugin: withLayout(layout), groups: ['tamper'] })
    t.equal(results[0]?.ok, false)
    t.ok(JSON.stringify(results).includes(said), JSON.stringify(results).slice(0, 1000))
  })
