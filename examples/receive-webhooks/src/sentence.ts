/** Members that are read of a message. */
export interface Message {
  readonly type: string
  /** When it happened. */
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Says what a message says, for people. A program decides by `type` and the members of `data`. */
export function sentenceOf({ type, timestamp, data }: Message): string {
  const { wallet, object_id: object, tx_hash: hash, sentence, block, fee, error, replaced_by: other } = data
  const amount = amountOf(data.amount)
  const unit = object === null ? '' : ` (${object})`
  switch (type) {
    case 'ping':
      return 'the service has found this receiver'
    case 'transaction.included':
      return `${hash} is in block ${member(block, 'height')}, which can still be replaced: ${sentence}`
    case 'transaction.final':
      return `${hash} is in block ${member(block, 'height')} for good, for a fee of ${amountOf(fee)}: ${sentence}`
    case 'transaction.failed':
      return `${hash} failed, for a fee of ${amountOf(fee)}, and can be crafted anew: ${member(error, 'reason')}`
    case 'transaction.replaced':
      return `${hash} never lands, since ${other ?? 'another transaction'} has its place`
    case 'transaction.expired':
      return `${hash} never lands, since it is no longer valid`
    case 'transaction.not_held':
      return `${hash} is held by no node, and may land yet: send the same bytes again, and craft no other`
    case 'position.active':
      return `${amount}${unit} of ${wallet} earns since ${timestamp}`
    case 'position.withdrawable':
      return `${amount}${unit} of ${wallet} can be withdrawn since ${timestamp}`
    case 'position.withdrawn':
      return `${amount}${unit} has come back to ${wallet} at ${timestamp}`
    case 'position.rewards_claimable':
      return `${amountOf(data.rewards)} of rewards of ${wallet} can be claimed`
    case 'position.rewarded':
      return `${wallet} has earned ${amountOf(data.rewards)}${othersOf(data)} since ${data.from}`
    default:
      return JSON.stringify(data)
  }
}

function amountOf(value: unknown): string {
  return value === null || value === undefined ? 'something' : `${member(value, 'amount')} ${member(value, 'unit') ?? ''}`.trim()
}

function member(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>> | null)?.[name]
}

/** Says in how many other assets something was paid: their names are whatever those who made them up have called them. */
function othersOf({ others_in_all: count }: Readonly<Record<string, unknown>>): string {
  return typeof count === 'number' && count > 0 ? ` and coins of ${count} other ${count === 1 ? 'asset' : 'assets'}` : ''
}
