import * as promised from '@example/intent-vouchers'
import { checkPlugin } from '@svc/conformance'
import { protocol } from '@svc/contract'
import { SvmAddress, svm } from '@svc/kit-svm'
import type { Effects } from '@svc/verify'
import { call, role, type SvmInstruction, type SvmProgram } from '@svc/verify/svm'
import t from 'tap'
import { deposit, redeem } from '../src/actions.ts'
import vouchers from '../src/index.ts'
import { defineAction, definePlugin } from '../src/network.ts'
import { options } from './options.ts'

// What an intent's author may get wrong about the instructions, and that the first craft says so.

const [create] = promised.layouts.system.instructions
const [open, redeemed] = promised.layouts.vouchers.instructions
const { base, seed, lamports, bytes, owner } = create.data

/** An instruction, laid out in another way. */
const lied = (instruction: SvmInstruction, changed: Partial<SvmInstruction>): SvmInstruction => ({ ...instruction, ...changed })
const created = (changed: Partial<SvmInstruction>) => lied(create, changed)

const UNREADABLE = 'bytes: promised a transaction that can be read back'

/** A layout, and what the first craft says to it. */
const LIES: Readonly<Record<string, readonly [SvmInstruction, string]>> = {
  'two amounts exchanged': [created({ data: { base, seed, bytes, lamports, owner } }), 'args.lamports'],
  'two addresses exchanged': [created({ data: { owner, seed, lamports, bytes, base } }), 'args.owner'],
  'two accounts exchanged': [created({ accounts: { voucher: role.signsAndWrites, from: role.writes } }), 'args.from'],
  'an amount too narrow': [created({ data: { ...create.data, lamports: 'u32' } }), UNREADABLE],
  'an amount too wide': [created({ data: { ...create.data, lamports: 'u128' } }), UNREADABLE],
  'an amount in two halves, of which one is left out': [
    created({ data: { base, seed, lamports: 'u32', rest: 'u32', bytes, owner } }),
    'has no instruction',
  ],
  'a field left out': [created({ data: { base, seed, lamports, bytes } }), UNREADABLE],
  'a text of another form': [created({ data: { ...create.data, seed: 'string' } }), UNREADABLE],
  'an account left out': [created({ accounts: { from: role.signsAndWrites } }), UNREADABLE],
  'an account too many': [created({ accounts: { ...create.accounts, other: role.reads } }), 'has no instruction'],
  'a right left out': [lied(redeemed, { accounts: { ...redeemed.accounts, voucher: role.reads } }), UNREADABLE],
  'a right too many': [created({ accounts: { from: role.signsAndWrites, voucher: role.signsAndWrites } }), UNREADABLE],
  'another discriminator': [created({ discriminator: '0x0b000000' }), 'calls[0].method'],
  'a discriminator too short': [created({ discriminator: '0x0300' }), UNREADABLE],
  'a note without its text': [lied(promised.layouts.notes.instructions[0], { data: {} }), UNREADABLE],
  'an instruction of one field without it': [lied(open, { data: {} }), UNREADABLE],
  'an amount as bytes': [lied(redeemed, { data: { atLeast: 'bytes8' } }), 'args.atLeast'],
  'a discriminator too long': [lied(redeemed, { discriminator: '0x0100', data: { atLeast: 'bytes7' } }), 'args.atLeast'],
  'the discriminator of no instruction': [lied(redeemed, { discriminator: '0x02' }), 'calls[0].method'],
  'the discriminator of another instruction': [lied(redeemed, { discriminator: '0x00' }), UNREADABLE],
}

/** The effects, with one instruction laid out like this. What it has no name for is not promised. */
function relaid(effects: Effects, instruction: SvmInstruction): Effects {
  const programs = ((effects.layouts ?? []) as readonly SvmProgram[]).map((program) => ({
    ...program,
    instructions: program.instructions.map((each) => (each.name === instruction.name ? instruction : each)),
  }))
  const calls = effects.calls.map((each) => {
    const program = programs.find(({ address }) => address === each.target)
    const found = program?.instructions.find(({ name }) => each.method.startsWith(`${program.name}.${name}(`))
    if (!program || !found) throw new Error(`${each.method} has no layout`)
    const args = Object.entries(each.args).filter(([name]) => name in found.accounts || name in found.data)
    return call(program, found.name, Object.fromEntries(args), found.spends ? each.value : 0n)
  })
  return { ...effects, calls, layouts: programs }
}

/** The plugin with an intent that lays one instruction out like this. */
function withLayout(instruction: SvmInstruction) {
  const actions = {
    deposit: defineAction({ ...deposit, effects: (...given) => relaid(promised.deposit.effects(...given), instruction) }),
    redeem: defineAction({ ...redeem, effects: (...given) => relaid(promised.redeem.effects(...given), instruction) }),
  }
  return definePlugin({ ...vouchers.protocol, actions })
}

for (const [name, [layout, said]] of Object.entries(LIES))
  t.test(`a layout with ${name} is found out by the group that tampers`, async (t) => {
    const results = await checkPlugin({ ...options, plugin: withLayout(layout), groups: ['tamper'] })
    t.equal(results[0]?.ok, false)
    t.ok(JSON.stringify(results).includes(said), JSON.stringify(results).slice(0, 1000))
  })

t.test('a reading that leaves anything out is found out, too: the bytes are changed one by one', async (t) => {
  for (const name of ['lamports', 'bytes', 'owner', 'base', 'text', 'principal', 'atLeast']) {
    /** Says what was promised in place of what it reads. */
    const blind: typeof svm = {
      ...svm,
      decode(unsigned, expected, network, terms) {
        const decoded = svm.decode(unsigned, expected, network, terms)
        const calls = decoded.calls.map((each, i) => {
          const { args = {}, value = 0n } = expected.calls[i] ?? {}
          const { [name]: believed } = args
          return name in each.args && believed !== undefined ? { ...each, args: { ...each.args, [name]: believed }, value } : each
        })
        return { ...decoded, calls }
      },
    }
    const { definePlugin } = protocol(blind, { program: SvmAddress })
    const plugin = definePlugin({ ...vouchers.protocol, actions: { deposit, redeem } })
    const results = await checkPlugin({ ...options, plugin, groups: ['tamper'] })
    t.equal(results[0]?.ok, false, name)
    t.match(JSON.stringify(results), /refused: /, name)
  }
})
