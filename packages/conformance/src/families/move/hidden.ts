import type { MoveCraft } from '@svc/verify/move'
import type { Addition, HiddenCall, HiddenKind } from '../../family.ts'
import { present } from '../../present.ts'
import { randomBytes } from '../shared/random.ts'
import { u64 } from './bcs.ts'
import { type Command, type Input, type MoveTransaction, readTransaction, writeTransaction } from './wire.ts'

/** Makes transactions with one more command after the honest ones. */
export function hiddenCommands(craft: MoveCraft, random: () => number): readonly HiddenCall<MoveCraft>[] {
  const tx = readTransaction(Buffer.from(craft.unsigned_tx_b64, 'base64'))
  const { inputs, commands } = tx
  const address = randomBytes(random, 32)
  const thief: Input = { kind: 'pure', bytes: address }
  const other: Input = {
    kind: 'owned',
    id: randomBytes(random, 32).toString('hex'),
    version: 3n,
    digest: randomBytes(random, 32).toString('hex'),
  }
  const amount: Input = { kind: 'pure', bytes: u64(BigInt(1 + Math.floor(random() * 1e9))) }
  const [first, second] = [inputs.length, inputs.length + 1]
  const added = (
    kind: HiddenKind,
    name: string,
    more: readonly Input[],
    further: readonly Command[],
    says: string,
  ): HiddenCall<MoveCraft> => ({
    name,
    kind,
    says,
    unsigned: written({ ...tx, inputs: [...inputs, ...more], commands: [...commands, ...further] }),
  })
  const transfer = (...args: Extract<Command, { kind: 'transfer' }>['args']): Command => ({
    kind: 'transfer',
    args,
    recipient: ['input', first],
  })
  const calls = commands.filter((each) => each.kind === 'call')
  const own = present(calls[0], 'a call')
  const hex = address.toString('hex')
  return [
    added('control', 'another object given away', [thief, other], [transfer(['input', second])], hex),
    added('transfer', 'the gas coin given away', [thief], [transfer('gas')], hex),
    added(
      'transfer',
      'a coin split off and given away',
      [thief, amount],
      [{ kind: 'split', coin: 'gas', args: [['input', second]] }, transfer(['result', commands.length, 0])],
      hex,
    ),
    added('action', 'its call once more', [], [own], 'then'),
    added(
      'unknown',
      'a call of somebody else',
      [thief],
      [{ kind: 'call', package: hex, module: 'm', function: 'f', types: [], args: [['input', first]] }],
      hex,
    ),
    added('unknown', 'a package', [], [{ kind: 'publish', module: randomBytes(random, 8) }], 'Publish'),
  ]
}

/** Makes the changes that a wallet may make to a craft, including none: a higher price of gas, twice the budget. Each has the verdict that is expected once it is signed. */
export function walletChanges(craft: MoveCraft): readonly Addition<MoveCraft>[] {
  const tx = readTransaction(Buffer.from(craft.unsigned_tx_b64, 'base64'))
  return [
    { name: 'as it was crafted', unsigned: craft, signed: 'same' },
    { name: 'a price of the wallet', unsigned: written({ ...tx, price: tx.price + 1n }), signed: 'told' },
    { name: 'a budget of the wallet', unsigned: written({ ...tx, budget: tx.budget * 2n }), signed: 'told' },
  ]
}

function written(tx: MoveTransaction): MoveCraft {
  return { unsigned_tx_b64: Buffer.from(writeTransaction(tx)).toString('base64') }
}
