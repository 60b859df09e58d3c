import { formatAmount } from '@svc/contract'
import type { Validity } from '@svc/contract/host'
import type { Followed } from '@svc/core/operate'
import type { Look } from '@svc/core/plugins'
import type { Answer } from './ask-chain.ts'
import { moment, plain, snakedDeep, table } from './cli/output.ts'

/** Name that the operator gives a network of a protocol; null: none is known. */
type NetworkName = (protocol: string, network: string) => string | null

/** Writes a followed transaction for a person, with a line for each change of its state, in the order and at the times at which this service found it. */
export function timelineText({ row, steps }: Followed, networkName: NetworkName): string {
  const { account, protocol, network, txHash, sentence, status, finality, look, bounds } = row
  const units = look?.units ?? { caip2: network, decimals: 0, symbol: null }
  const lines: [Date, string][] = [
    ...steps.map(({ id, time, action, status: httpStatus, error }): [Date, string] => {
      const done = action === 'prepare' ? 'prepared' : action === 'broadcast' ? 'broadcast' : `crafted (${action})`
      const how = httpStatus === 0 ? ', and its end is not known' : httpStatus >= 400 ? `, and refused: ${error ?? httpStatus}` : ''
      return [time, `${done}${how}; audit record ${id}`]
    }),
    ...(row.acceptedAt ? [[row.acceptedAt, 'taken by an endpoint'] satisfies [Date, string]] : []),
    ...row.history.map(({ time, found = time, status, finality, block, event }): [Date, string] => [
      found,
      `${stateText(status, finality)}${block === null ? '' : inBlock(block.height, time)}${event ? `; told as ${event}` : ''}`,
    ]),
  ]
  const sorted = lines.toSorted(([one], [other]) => one.getTime() - other.getTime())
  return [
    `${txHash}\n  on ${placeText(protocol, network, units.caip2, networkName)}, for ${account}${row.wallet ? `, of ${row.wallet}` : ''}`,
    ...(sentence ? [`  ${plain(sentence)}`] : []),
    `  ${stateText(status, finality)}${row.endedAt ? '' : `, ${row.certainty}`}`,
    '',
    table(
      ['TIME', 'WHAT'],
      sorted.map(([time, what]) => [moment(time), plain(what)]),
    ),
    '',
    ...movedText(look?.look ?? null, units, row.promised),
    ...validText(look?.look.validUntil ?? bounds?.validUntil ?? null, row.endedAt !== null),
    ...(row.checkedAt ? [`Looked at   ${moment(row.checkedAt)}`] : []),
    ...(row.nextAt ? [`Next look   ${moment(row.nextAt)}`] : row.endedAt ? [] : ['Next look   none: nobody has seen it for a day']),
  ].join('\n')
}

/** Puts the present state of a transaction on the chain into words. */
export function lookText({ protocol, network, hash, units, look, failure }: Answer, networkName: NetworkName): string {
  const where = `Asked now: ${hash}\n  on ${placeText(protocol, network, units.caip2, networkName)}`
  if (!look) return `${where}\n  it could not be told: ${plain(failure ?? 'the plugin tells nothing of it')}`
  return [
    where,
    `  ${stateText(look.status, look.finality)}, ${look.certainty}${look.block === null ? '' : inBlock(look.block.height, look.block.time)}`,
    ...movedText(look, units, null),
    ...validText(look.validUntil, false),
  ].join('\n')
}

/** Names a network as pages do, by name and id: `mainnet (143, eip155:143)`. Names of some families are ids already, as `devnet`. */
function placeText(protocol: string, network: string, caip2: string, networkName: NetworkName): string {
  const name = networkName(protocol, network)
  if (name === null || name.toLowerCase() === network.toLowerCase()) return `${protocol} ${network} (${caip2})`
  return `${protocol} ${plain(name)} (${network}, ${caip2})`
}

/** Converts a timeline to plain JSON data: amounts are decimal text in base units, and members have the names of the API. */
export function timelineJson(value: unknown): unknown {
  const written: unknown = JSON.parse(
    JSON.stringify(value, (_name, member: unknown) => (typeof member === 'bigint' ? member.toString() : member)),
  )
  return snakedDeep(written, OF_THE_CHAIN)
}

/** What a family keeps has names of its own. */
const OF_THE_CHAIN: ReadonlySet<string> = new Set(['facts', 'keep', 'effects', 'asked', 'changes'])

type Units = Answer['units']
type Moves = NonNullable<Look['moved']>['moves']

function movedText(look: Look | null, units: Units, promised: Moves | null): string[] {
  if (look === null) return []
  const fee = look.fee === null ? [] : [`Fee         ${formatAmount(look.fee, units.decimals)} ${units.symbol ?? ''}`.trimEnd()]
  const moved = look.moved?.moves ?? []
  return [
    ...fee,
    ...(look.moved === null && look.block !== null && look.error === null ? ['Moved       not known: no node keeps what it did'] : []),
    ...(moved.length > 0 ? [`Moved       ${movesText(moved, units)}`] : []),
    ...(promised && promised.length > 0 ? [`Promised    ${movesText(promised, units)}`] : []),
    ...((look.moved?.objectIds.length ?? 0) > 0 ? [`Made        ${plain(look.moved?.objectIds.join(', ') ?? '')}`] : []),
    ...(look.error ? [`Error       ${plain(`${look.error.code}: ${look.error.reason}`)}`] : []),
    ...(look.replacedBy ? [`Replaced by ${look.replacedBy}`] : []),
  ]
}

function movesText(moves: Moves, { decimals, symbol }: Units): string {
  return moves
    .map(({ kind, asset, amount }) => {
      if (amount === null) return `${kind} ${asset}, how much is not said`
      return asset === 'native'
        ? `${kind} ${formatAmount(amount, decimals)} ${symbol ?? ''}`.trimEnd()
        : `${kind} ${amount} units of ${asset}`
    })
    .join('; ')
}

const ENDS: Readonly<Record<string, (value: string) => string>> = {
  nonce: (value) => `another transaction has nonce ${value}`,
  sequence: (value) => `another transaction has sequence ${value}`,
  block_height: (value) => `block ${value}`,
  nonce_account: (value) => `its nonce account has another value than ${value}`,
  object_versions: (value) => `one of its objects is used: ${value}`,
  epoch: (value) => `the end of epoch ${value}`,
  time: (value) => `the chain's clock says ${value}`,
}

function validText(valid: Look['validUntil'], ended: boolean): string[] {
  if (valid === null || ended) return []
  const ends = [valid, ...(valid.also ? [valid.also] : [])]
  const when = ends.flatMap(({ estimatedAt }) => estimatedAt ?? []).sort((one, other) => one.getTime() - other.getTime())[0]
  const about = when === undefined ? '; it does not end by itself, or it is not known when' : `, about ${moment(when)}`
  return [`Valid until ${ends.map(endText).join(', or ')}${about}`]
}

/** One end in words; of a family that has a kind of its own, in that word. */
function endText({ kind, value }: Validity): string {
  const ending = value ?? 'that its bytes do not say'
  return ENDS[kind]?.(ending) ?? `${kind.replaceAll('_', ' ')} ${ending}`
}

function stateText(status: Look['status'], finality: Look['finality']): string {
  if (status === 'failed') return finality === 'final' ? 'failed' : 'failed, in a block that may be reorganised'
  if (status === 'included') return 'included, in a block that may be reorganised'
  return status
}

/** The block's time is by the chain's clock, and so stands beside the service's. */
function inBlock(height: string | bigint | null, time: Date | null): string {
  return `, in ${height === null ? 'a block' : `block ${height}`}${time === null ? '' : ` of ${moment(time)} by the chain`}`
}
