import { Amount, protocol } from '@svc/contract'
import { desk, PaperAddress, paperKit, promise } from '@svc/testing/paper'
import { NO_TERMS } from '@svc/testing/paper-protocol'
import type { Decoded } from '@svc/verify'
import type { ActionIntent, Intent } from '@svc/verify/intent'
import t from 'tap'
import { declaration, host, one } from './support/host.ts'

interface Given {
  readonly address: string
  readonly amount: bigint
}

/** A caller is promised what he asked for, which the chain may correct by one. */
const give: ActionIntent<{ clerk: string }, Record<string, never>, { amount: bigint }> = {
  input: {},
  effects: ({ clerk }, input, { amount }) => promise((input as unknown as Given).address, clerk, 'give', amount),
  factsOf(decoded: Decoded, _terms, input) {
    const found = decoded.calls[0]?.value ?? 0n
    const { amount } = input as unknown as Given
    const holds = found <= amount && found >= amount - 1n
    return { facts: { amount: found }, claimed: [{ fact: 'amount', value: String(found), bound: `${amount} or one less`, holds }] }
  },
}

const papers: Intent<{ clerk: string }> = {
  family: { name: 'paper', signer: 'address', decode: () => ({}) as Decoded, validity: () => 'valid for ever' },
  path: '/paper/native',
  terms: { clerk: { type: 'text', description: 'Who is given to.' } },
  actions: { give },
  layouts: () => ({}),
  describe: ({ value }: { value: bigint }) => ({ text: `give ${value}`, moves: [] }),
} as never

t.test('a plan that an endpoint made up is withheld, though effects and bytes agree on it', async (t) => {
  let corrected = 9n
  const { defineAction, definePlugin } = protocol(paperKit(), { clerk: PaperAddress })
  const action = defineAction({
    summary: 'Give',
    body: { address: PaperAddress, amount: Amount() },
    read: async () => corrected,
    expect: ({ amount }) => ({ amount }),
    settle: (_network, _input, read: bigint) => ({ amount: read }),
    craft: ({ clerk }, { address }, { amount }) => ({ from: address, to: clerk, verb: 'give', amount }),
    effects: ({ clerk }, { address }, { amount }) => promise(address, clerk, 'give', amount),
  })
  const plugin = (intent: object) =>
    definePlugin({ ...declaration, ...intent, actions: { give: action }, info: async () => NO_TERMS, balance: declaration.balance })
  const asked = async (intent: object) => {
    const { app, notes } = await host(plugin(intent), [one], desk())
    t.teardown(() => app.close())
    const answer = await app.inject({ method: 'POST', url: '/action/give', payload: { address: 'p001', amount: '0.00000000000000001' } })
    return { status: answer.statusCode, mismatches: notes.flatMap(({ mismatches = [] }) => mismatches) }
  }
  t.same(await asked({ intent: papers }), { status: 200, mismatches: [] }, 'one less is within the bound')
  corrected = 3n
  t.match(await asked({ intent: papers }), { status: 500, mismatches: [{ path: 'facts.amount', expected: '10 or one less', found: '3' }] })
  t.match(await asked({}), { status: 200 }, 'without an intent nobody knows a bound')
})

t.test(
  'what the kit states of a transaction is what its facts are judged by; what the family dictates the kit bounds itself',
  async (t) => {
    const { defineAction, definePlugin } = protocol(paperKit({ stated: ({ serial }) => ({ 'x-serial': String(serial) }) }), {
      clerk: PaperAddress,
    })
    const action = defineAction({
      summary: 'Give',
      body: { address: PaperAddress, amount: Amount() },
      read: async () => 10n,
      expect: ({ amount }) => ({ amount }),
      settle: (_network, _input, read: bigint) => ({ amount: read }),
      craft: ({ clerk }, { address }, { amount }) => ({ from: address, to: clerk, verb: 'give', amount }),
      effects: ({ clerk }, { address }, { amount }) => promise(address, clerk, 'give', amount),
    })
    const seen: unknown[] = []
    const judgedBy = async (fact: string, dictated: object) => {
      const claimed = (stated: Readonly<Record<string, string>>, decoded: Decoded) => {
        seen.push(stated)
        const serial = String(decoded.terms.serial)
        return [{ fact, value: serial, exact: serial, bound: 'never', holds: fact === 'serial' && stated['x-serial'] === serial }]
      }
      const intent = { ...papers, family: { ...papers.family, claimed, ...dictated } }
      const plugin = definePlugin({ ...declaration, intent, actions: { give: action }, info: async () => NO_TERMS } as never)
      const { app, notes } = await host(plugin, [one], desk())
      t.teardown(() => app.close())
      const answer = await app.inject({ method: 'POST', url: '/action/give', payload: { address: 'p001', amount: '0.00000000000000001' } })
      return { status: answer.statusCode, mismatches: notes.flatMap(({ mismatches = [] }) => mismatches) }
    }
    t.same(await judgedBy('serial', {}), { status: 200, mismatches: [] })
    t.match(seen, [{ 'x-serial': /^\d+$/ }])
    t.match(await judgedBy('price', {}), { status: 500, mismatches: [{ path: 'facts.price' }] })
    t.same(await judgedBy('price', { dictated: [{ fact: 'price' }] }), { status: 200, mismatches: [] })
    t.match(await judgedBy('price', { dictated: [{ fact: 'serial' }] }), { status: 500 })
  },
)
