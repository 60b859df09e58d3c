import { parseAmount } from '@svc/contract'
import type { ForeignChange, ForeignStage, PowerLie } from '../../control/options.ts'
import { present } from '../../present.ts'
import { type Field, readFields, textBytes, writeFields } from '../shared/protobuf.ts'
import { type Hex32, u64 } from './bcs.ts'
import { STRANGE, THIEF } from './change.ts'
import { acts } from './past-service.ts'
import type { Argument, Command, Input } from './wire.ts'

// Functions of the staking modules, with their arguments:
// https://github.com/MystenLabs/sui/tree/main/crates/sui-framework/packages/sui-system/sources (read 2026-11-29)

const PACKAGE = '3'.padStart(64, '0')
/** State of the system: a shared object since its first version. */
const STATE: Input = { kind: 'shared', id: '5'.padStart(64, '0'), version: 1n, mutable: 1 }
const DECIMALS = 9
/** Bytes before a message of gRPC-web: a flag, and its length. */
const HEADER = 5

// Numbers of fields on the way to the owner of an object: BatchGetObjectsResponse, GetObjectResult, Object, Owner.
// https://github.com/MystenLabs/sui-apis/tree/main/proto/sui/rpc/v2 (read 2026-11-29)
const OWNER = [1, 1, 5, 2]

/** Changes that others make to the stakes of a wallet, each with the first stake of its position, which is active. */
export const stakedSuiChanges: readonly ForeignChange[] = [
  {
    name: 'it is sent to somebody else',
    play: (stage) => gives(stage),
    told: ['position.control_changed owner', 'position.lost authority'],
  },
  {
    name: 'a third of it is split off and sent to somebody else',
    async play(stage) {
      const part = pure(u64(amountOf(stage) / 3n))
      const commands = [call('staking_pool', 'split', ['input', 0], ['input', 1]), transfer(['result', 0], 2)]
      await acts(stage, stage.player, [firstOf(stage)], [part, address(stage.stranger.wallet.address)], commands)
    },
    told: ['position.lost split'],
  },
  {
    name: 'it is put into an object of somebody else',
    play: async (stage) => void (await stage.operate('put-into', { object: `0x${firstOf(stage)}`, into: `0x${STRANGE}` })),
    told: ['position.control_changed owner', 'position.lost authority'],
  },
  {
    name: 'it is withdrawn past the service',
    play: (stage) => withdraws(stage, firstOf(stage)),
    told: ['position.lost withdrawn'],
  },
  {
    name: 'its owner withdraws it by the service',
    play: (stage) => unstakes(stage, firstOf(stage)),
    told: [],
    ordinary: true,
  },
  {
    name: 'its owner withdraws a half of it by the service, and the other one is withdrawn past it',
    before: (stage) => halves(stage),
    async play(stage) {
      const [own, other] = idsOf(stage)
      await unstakes(stage, present(own, 'a stake'))
      await withdraws(stage, present(other, 'another stake'))
    },
    told: ['position.lost withdrawn'],
  },
  { name: 'its owner makes it fungible', play: (stage) => converts(stage), told: ['position.moved'], ordinary: true },
  {
    name: 'its owner has made it fungible, and redeems it by the service',
    before: (stage) => converts(stage),
    play: (stage) => unstakes(stage, firstOf(stage)),
    told: [],
    ordinary: true,
  },
  { name: 'its owner splits it into two of his own', play: (stage) => halves(stage), told: ['position.moved'], ordinary: true },
  {
    name: 'its owner joins two of his own',
    before: (stage) => halves(stage),
    play: (stage) => acts(stage, stage.player, idsOf(stage), [], [call('staking_pool', 'join_staked_sui', ['input', 0], ['input', 1])]),
    told: ['position.moved'],
    ordinary: true,
  },
  {
    name: 'its owner moves it to another wallet that he watches',
    before: (stage) => stage.watch(stage.stranger.wallet.address),
    play: (stage) => gives(stage),
    told: ['position.moved'],
  },
  {
    name: 'it is made a party object of the same owner',
    play: async (stage) => void (await stage.operate('party', { object: `0x${firstOf(stage)}` })),
    told: [],
    ordinary: true,
  },
  {
    name: 'three epochs pay rewards',
    play: async ({ player }) => void (await player.advance({ epochs: 3 })),
    told: [],
    ordinary: true,
  },
  {
    name: 'three epochs pay rewards to a stake that is fungible',
    before: (stage) => converts(stage),
    play: async ({ player }) => void (await player.advance({ epochs: 3 })),
    told: [],
    ordinary: true,
  },
  {
    name: 'somebody else makes it fungible stake of dust',
    async before(stage) {
      await stage.stranger.act('stake', { amount: 1 })
      await stage.player.advance({ epochs: 2 })
    },
    async play({ stranger, ...stage }) {
      const { objects } = await stranger.position()
      const id = present(objects?.[0], 'a stake of the stranger').id.slice(2)
      const commands = [system('convert_to_fungible_staked_sui', ['input', 0]), transfer(['result', 0], 2)]
      await acts({ ...stage, stranger }, stranger, [id], [STATE, address(stage.player.wallet.address)], commands)
    },
    told: [],
    ordinary: true,
  },
]

/** Lies about objects, in the answers of lists and of look-ups. */
export const stakedSuiLies: readonly PowerLie[] = [
  { name: 'the wallet has nothing', answer: (question, answer) => (isList(question) ? emptied(answer) : answer) },
  {
    name: 'somebody else has all of it',
    answer: (question, answer) =>
      isList(question) ? emptied(answer) : question.includes('/BatchGetObjects ') ? handedOver(answer) : answer,
  },
]

async function gives(stage: ForeignStage): Promise<void> {
  await acts(stage, stage.player, [firstOf(stage)], [address(stage.stranger.wallet.address)], [transfer(['input', 0], 1)])
}

async function withdraws(stage: ForeignStage, id: Hex32): Promise<void> {
  await acts(stage, stage.player, [id], [STATE], [system('request_withdraw_stake', ['input', 0])])
}

async function unstakes({ followed }: ForeignStage, id: Hex32): Promise<void> {
  await followed.act('unstake', { staked_sui_object_id: `0x${id}` })
}

async function halves(stage: ForeignStage): Promise<void> {
  const half = pure(u64(amountOf(stage) / 2n))
  await acts(stage, stage.player, [firstOf(stage)], [half], [call('staking_pool', 'split_staked_sui', ['input', 0], ['input', 1])])
}

async function converts(stage: ForeignStage): Promise<void> {
  const commands = [system('convert_to_fungible_staked_sui', ['input', 0]), transfer(['result', 0], 2)]
  await acts(stage, stage.player, [firstOf(stage)], [STATE, address(stage.player.wallet.address)], commands)
}

/** A call with the state of the system, which is the input behind the one object. */
function system(name: string, stake: Argument): Command {
  return call('sui_system', name, ['input', 1], stake)
}

function call(module: string, name: string, ...args: readonly Argument[]): Command {
  return { kind: 'call', package: PACKAGE, module, function: name, types: [], args }
}

/** Gives something to the address that is an input. */
function transfer(object: Argument, recipient: number): Command {
  return { kind: 'transfer', args: [object], recipient: ['input', recipient] }
}

function pure(bytes: Uint8Array): Input {
  return { kind: 'pure', bytes }
}

function address(text: string): Input {
  return pure(Buffer.from(text.slice(2), 'hex'))
}

function idsOf({ position }: ForeignStage): readonly Hex32[] {
  return (position.objects ?? []).map(({ id }) => id.slice(2))
}

function firstOf(stage: ForeignStage): Hex32 {
  return present(idsOf(stage)[0], 'a stake')
}

function amountOf({ position }: ForeignStage): bigint {
  return parseAmount(present(position.objects?.[0]?.amount ?? undefined, 'an amount'), DECIMALS)
}

function isList(question: string): boolean {
  return question.includes('/ListOwnedObjects ')
}

/** A list without anything in it. */
function emptied(answer: string): string {
  return rewritten(answer, () => new Uint8Array())
}

/** An answer in which each object is the thief's. */
function handedOver(answer: string): string {
  return rewritten(answer, (message) => everywhere(message, OWNER))
}

/** Writes the thief's address at each place of a path. */
function everywhere(message: Uint8Array, [number, ...rest]: readonly number[]): Uint8Array {
  return writeFields(
    readFields(message).map((field): Field => {
      if (field.number !== number || typeof field.value === 'bigint') return field
      return { ...field, value: rest.length === 0 ? textBytes(`0x${THIEF}`) : everywhere(field.value, rest) }
    }),
  )
}

/** An answer of gRPC-web whose message is another one. */
function rewritten(answer: string, change: (message: Uint8Array) => Uint8Array): string {
  const whole = Buffer.from(answer, 'latin1')
  const end = HEADER + whole.readUInt32BE(1)
  // An answer that begins with its trailers has no message.
  if (whole[0] !== 0) return answer
  const message = change(whole.subarray(HEADER, end))
  const head = Buffer.alloc(HEADER)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message, whole.subarray(end)]).toString('latin1')
}
