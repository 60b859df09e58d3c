import { itemsOf, membersOf, parseAmount } from '@svc/contract'
import type { ControlTest, ForeignChange, ForeignStage, PowerLie } from '../../control/options.ts'
import type { Player } from '../../player.ts'
import { type Field, readFields, writeFields } from '../shared/protobuf.ts'
import { type Act, exitOf, record, sends, validatorsOf } from './control-wire.ts'
import type { ChainFacts } from './forgeries.ts'
import { bech32 } from './wire.ts'

// Types and fields: https://github.com/cosmos/cosmos-sdk/tree/v0.53.8/proto/cosmos (bank, distribution, staking, authz; read 2026-11-29)

const SEND = '/cosmos.bank.v1beta1.MsgSend'
const UNDELEGATE = '/cosmos.staking.v1beta1.MsgUndelegate'
const REDELEGATE = '/cosmos.staking.v1beta1.MsgBeginRedelegate'
const CANCEL = '/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation'
const EXEC = '/cosmos.authz.v1beta1.MsgExec'
const GRANT = '/cosmos.authz.v1beta1.MsgGrant'
const GENERIC = '/cosmos.authz.v1beta1.GenericAuthorization'
const STAKE = '/cosmos.staking.v1beta1.StakeAuthorization'
/** Kind of a StakeAuthorization: delegate. */
const DELEGATES = 1n
const GRANTEES = 48
const JAIL_SECONDS = 600
const DAYS = 3

/** Changes of delegations made outside of the service, and false answers about them. */
type DelegationTest = Pick<ControlTest, 'changes' | 'lies' | 'ticks'>

/**
 * Makes the control test of a chain with native delegation: changes made outside of the service (grants, undelegations, slashes, by others or by the owner), each with the events that must follow, and
 * false answers from which none may.
 */
export function delegationControl(chain: ChainFacts): DelegationTest {
  return { changes: [...powers(chain), ...takings(chain), ...ordinary(chain), ...slashes()], lies: lies(chain), ticks: true }
}

function powers(chain: ChainFacts): readonly ForeignChange[] {
  const acts = (stage: ForeignStage, list: readonly Act[], by: Player = stage.player) => sends(stage, chain, by, list)
  return [
    {
      name: 'its rewards are paid to somebody else',
      async play(stage) {
        const { player, stranger } = stage
        const { address } = stranger.wallet
        await acts(stage, [withdrawTo(stage, address)])
        await player.advance({ epochs: 1 })
        await player.refused('claim-rewards', {}, 'WITHDRAW_ADDRESS_OTHER')
        player.check.equal(
          (await player.craft('claim-rewards', { withdraw_address: address })).status,
          200,
          'who repeats the address claims',
        )
        player.check.equal((await player.craft('unstake', { amount: 1 })).status, 200, 'and whoever leaves is let go')
      },
      soon: true,
      told: ['position.control_changed withdraw_address'],
    },
    {
      name: 'its rewards are paid to the wallet again',
      before: (stage) => acts(stage, [withdrawTo(stage, stage.stranger.wallet.address)]),
      play: (stage) => acts(stage, [withdrawTo(stage, stage.player.wallet.address)]),
      soon: true,
      told: ['position.control_changed withdraw_address'],
    },
    {
      name: 'fifty grants of three kinds are made in one transaction',
      async play(stage) {
        const many = Array.from({ length: GRANTEES }, (_, index) => grant(stage, nobody(chain, index), generic(SEND)))
        const further = [GRANT, UNDELEGATE].map((type) => grant(stage, stage.stranger.wallet.address, generic(type)))
        await acts(stage, [...many, ...further])
      },
      soon: true,
      told: ['position.control_changed grant_grant'],
    },
    {
      name: 'a grant is taken back',
      before: (stage) => acts(stage, [grant(stage, stage.stranger.wallet.address, generic(SEND))]),
      play: (stage) =>
        acts(stage, [
          { type: '/cosmos.authz.v1beta1.MsgRevoke', value: record(stage.player.wallet.address, stage.stranger.wallet.address, SEND) },
        ]),
      told: ['position.control_changed grant_send'],
    },
    {
      name: 'a tool may stake its rewards with the same validator',
      async play(stage) {
        const { own } = await validatorsOf(stage)
        const authorization = record(STAKE, record(undefined, record(own), undefined, DELEGATES))
        await acts(stage, [grant(stage, stage.stranger.wallet.address, authorization)])
      },
      told: ['position.control_changed grant_delegate'],
      ordinary: true,
    },
  ]
}

/** What other hands do with the stake itself. */
function takings(chain: ChainFacts): readonly ForeignChange[] {
  const allow = (type: string) => (stage: ForeignStage) =>
    sends(stage, chain, stage.player, [grant(stage, stage.stranger.wallet.address, generic(type))])
  const byGrantee = (stage: ForeignStage, { type, value }: Act) =>
    sends(stage, chain, stage.stranger, [{ type: EXEC, value: record(stage.stranger.wallet.address, record(type, value)) }])
  return [
    {
      name: 'somebody with a grant undelegates half of it',
      before: allow(UNDELEGATE),
      play: async (stage) => byGrantee(stage, await undelegate(stage, chain, 2n)),
      soon: true,
      told: ['position.exit_started'],
      later: ['position.withdrawn'],
    },
    {
      name: 'its owner undelegates all of it elsewhere',
      play: async (stage) => sends(stage, chain, stage.player, [await undelegate(stage, chain, 1n)]),
      soon: true,
      told: ['position.exit_started'],
      later: ['position.withdrawn'],
    },
    {
      name: 'somebody with a grant moves half of it to another validator',
      before: allow(REDELEGATE),
      play: async (stage) => byGrantee(stage, await redelegate(stage, chain, 2n)),
      soon: true,
      told: ['position.moved'],
    },
    {
      name: 'its owner moves all of it to another validator',
      play: async (stage) => sends(stage, chain, stage.player, [await redelegate(stage, chain, 1n)]),
      soon: true,
      told: ['position.moved'],
    },
    {
      name: 'an exit is cancelled',
      before: async (stage) => sends(stage, chain, stage.player, [await undelegate(stage, chain, 2n)]),
      play: async (stage) => sends(stage, chain, stage.player, [await cancel(stage, chain, 1n)]),
      soon: true,
      told: ['position.exit_cancelled'],
    },
    {
      name: 'half of an exit is cancelled',
      before: async (stage) => sends(stage, chain, stage.player, [await undelegate(stage, chain, 2n)]),
      play: async (stage) => sends(stage, chain, stage.player, [await cancel(stage, chain, 2n)]),
      soon: true,
      told: ['position.exit_cancelled'],
      later: ['position.withdrawn'],
    },
    {
      name: 'an exit is cancelled, and what it was is moved to another validator',
      before: async (stage) => sends(stage, chain, stage.player, [await undelegate(stage, chain, 1n)]),
      async play(stage) {
        await sends(stage, chain, stage.player, [await cancel(stage, chain, 1n)])
        await sends(stage, chain, stage.player, [await redelegate(stage, chain, 1n)])
      },
      told: ['position.exit_cancelled', 'position.moved'],
    },
  ]
}

/** Slashes, in the end: they stay with the validator. */
function slashes(): readonly ForeignChange[] {
  const slash = async ({ operate }: ForeignStage) => void (await operate('slash', { fraction: '0.05' }))
  return [
    { name: 'its validator is slashed', play: slash, told: ['position.slashed'] },
    { name: 'its validator is slashed again', play: slash, told: ['position.slashed'] },
  ]
}

function ordinary(chain: ChainFacts): readonly ForeignChange[] {
  return [
    { name: 'days pay rewards', play: async ({ player }) => void (await player.advance({ epochs: DAYS })), told: [], ordinary: true },
    {
      name: 'its owner claims, and leaves with a part by the service',
      async play({ followed }) {
        await followed.advance({ epochs: 1 })
        await followed.act('claim-rewards')
        await followed.act('unstake', { amount: 1 })
      },
      told: [],
      later: ['position.withdrawn'],
      ordinary: true,
    },
    {
      name: 'a stranger sends it one base unit',
      play: (stage) =>
        sends(stage, chain, stage.stranger, [
          { type: SEND, value: record(stage.stranger.wallet.address, stage.player.wallet.address, record(chain.denom, '1')) },
        ]),
      told: [],
      ordinary: true,
    },
    {
      name: 'its validator leaves the active set and comes back',
      async play({ operate }) {
        await operate('jail', { seconds: JAIL_SECONDS })
        await operate('unjail')
      },
      told: [],
      ordinary: true,
    },
  ]
}

/** Lies about who has power over a delegation, and about what there is. */
function lies(chain: ChainFacts): readonly PowerLie[] {
  const thief = nobody(chain, GRANTEES)
  return [
    {
      name: 'its rewards are paid to somebody else',
      answer: rewriting(/DelegatorWithdrawAddress$/, () => record(thief)),
    },
    {
      name: 'somebody may send its coins',
      answer: rewriting(/GranterGrants$/, (answer, wallet) => {
        const one: Field = { number: 1, value: record(wallet, thief, record(GENERIC, record(SEND))) }
        return writeFields([one, ...readFields(answer)])
      }),
    },
    { name: 'there is no delegation', answer: refusing(/staking.*Query\/Delegation$/) },
  ]
}

/** An answer whose bytes are others. @param change the answer's bytes, and the address that the question is about */
function rewriting(path: RegExp, change: (answer: Uint8Array, wallet: string) => Uint8Array): PowerLie['answer'] {
  return (question, answer) => {
    const { path: of, first } = questionOf(question)
    if (!path.test(of)) return answer
    const parsed = membersOf(JSON.parse(answer))
    const result = membersOf(parsed.result)
    const response = membersOf(result.response)
    const bytes = change(new Uint8Array(Buffer.from(String(response.value ?? ''), 'base64')), first)
    return JSON.stringify({ ...parsed, result: { ...result, response: { ...response, value: Buffer.from(bytes).toString('base64') } } })
  }
}

/** An answer that says that the chain has no such thing. */
function refusing(path: RegExp): PowerLie['answer'] {
  return (question, answer) => {
    if (!path.test(questionOf(question).path)) return answer
    const parsed = membersOf(JSON.parse(answer))
    const result = membersOf(parsed.result)
    const { height } = membersOf(result.response)
    const log = 'rpc error: code = NotFound desc = not found: key not found'
    return JSON.stringify({ ...parsed, result: { ...result, response: { code: 22, codespace: 'sdk', log, value: null, height } } })
  }
}

/** Path of a question to the application, and its first field, which is the address that it is about. */
function questionOf(question: string): { readonly path: string; readonly first: string } {
  const [method, params] = itemsOf(JSON.parse(question))
  const { path, data } = membersOf(params)
  if (method !== 'abci_query') return { path: '', first: '' }
  const [first] = readFields(new Uint8Array(Buffer.from(String(data), 'hex')))
  return { path: String(path), first: first && typeof first.value !== 'bigint' ? Buffer.from(first.value).toString('utf8') : '' }
}

/** Writes the exit of a part of the stake. @param part 2 is half of it */
async function undelegate(stage: ForeignStage, chain: ChainFacts, part: bigint): Promise<Act> {
  const { own } = await validatorsOf(stage)
  return { type: UNDELEGATE, value: record(stage.player.wallet.address, own, coins(chain, stage.position.staked, part)) }
}

async function redelegate(stage: ForeignStage, chain: ChainFacts, part: bigint): Promise<Act> {
  const { own, other } = await validatorsOf(stage)
  const { staked } = await stage.player.position()
  return { type: REDELEGATE, value: record(stage.player.wallet.address, own, other, coins(chain, staked, part)) }
}

/** Writes the end of a part of the wallet's one exit. */
async function cancel(stage: ForeignStage, chain: ChainFacts, part: bigint): Promise<Act> {
  const { validator, height, balance } = await exitOf(stage)
  const half = record(chain.denom, String(balance / part))
  return { type: CANCEL, value: record(stage.player.wallet.address, validator, half, height) }
}

function coins({ denom, decimals = 6 }: ChainFacts, amount: string, part: bigint): Uint8Array {
  return record(denom, String(parseAmount(amount, decimals) / part))
}

function withdrawTo({ player }: ForeignStage, to: string): Act {
  return { type: '/cosmos.distribution.v1beta1.MsgSetWithdrawAddress', value: record(player.wallet.address, to) }
}

/** A grant of the wallet without an end. @param authorization as `Any` */
function grant({ player }: ForeignStage, grantee: string, authorization: Uint8Array): Act {
  return { type: GRANT, value: record(player.wallet.address, grantee, record(authorization)) }
}

function generic(type: string): Uint8Array {
  return record(GENERIC, record(type))
}

/** Address of nobody. */
function nobody({ prefix }: ChainFacts, index: number): string {
  return bech32(prefix, new Uint8Array(20).fill(index + 1))
}
