import { logStream, type PlacedLog, parseAbi } from '@svc/kit-evm'
import type { VaultContext } from '../network.ts'

/** Events of a vault by which its shares and exits change hands. @see https://github.com/stakewise/v3-core/tree/main/contracts/interfaces (read 2026-11-21) */
const abi = parseAbi([
  'event Deposited(address indexed caller, address indexed receiver, uint256 assets, uint256 shares, address referrer)',
  'event Redeemed(address indexed owner, address indexed receiver, uint256 assets, uint256 shares)',
  'event ExitQueueEntered(address indexed owner, address indexed receiver, uint256 positionTicket, uint256 shares)',
  'event V2ExitQueueEntered(address indexed owner, address indexed receiver, uint256 positionTicket, uint256 shares, uint256 assets)',
  'event ExitedAssetsClaimed(address indexed receiver, uint256 prevPositionTicket, uint256 newPositionTicket, uint256 withdrawnAssets)',
  'event OsTokenLiquidated(address indexed caller, address indexed user, address receiver, uint256 osTokenShares, uint256 shares, uint256 receivedAssets)',
  'event OsTokenRedeemed(address indexed caller, address indexed user, address receiver, uint256 osTokenShares, uint256 shares, uint256 assets)',
  'event FeeSharesMinted(address receiver, uint256 shares, uint256 assets)',
  'event Migrated(address receiver, uint256 assets, uint256 shares)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const hashOf = (name: string) => abi.interface.getEvent(name)?.topicHash ?? ''

/** Topics that name the holder whom an event is about, by the hash of the event; none where the first word of its data does. */
const HOLDER = new Map([
  [hashOf('Deposited'), [2]],
  [hashOf('Redeemed'), [1]],
  [hashOf('ExitQueueEntered'), [1, 2]],
  [hashOf('V2ExitQueueEntered'), [1, 2]],
  [hashOf('ExitedAssetsClaimed'), [1]],
  [hashOf('OsTokenLiquidated'), [2]],
  [hashOf('OsTokenRedeemed'), [2]],
  [hashOf('FeeSharesMinted'), []],
  [hashOf('Migrated'), []],
  [hashOf('Transfer'), [1, 2]],
])

/** Event of a vault that is about a holder. Addresses are in lower case, assets in wei; a share and a ticket have 18 decimals too. */
export type VaultEvent = { readonly log: PlacedLog } & (
  | { readonly name: 'Deposited'; readonly caller: string; readonly assets: bigint; readonly shares: bigint }
  | { readonly name: 'Redeemed' | 'OsTokenTaken'; readonly receiver: string; readonly assets: bigint; readonly shares: bigint }
  | {
      readonly name: 'ExitQueueEntered'
      readonly owner: string
      readonly receiver: string
      readonly ticket: bigint
      readonly shares: bigint
    }
  | { readonly name: 'V2ExitQueueEntered' }
  | { readonly name: 'ExitedAssetsClaimed'; readonly ticket: bigint; readonly newTicket: bigint; readonly assets: bigint }
  | { readonly name: 'FeeSharesMinted' | 'Migrated'; readonly assets: bigint; readonly shares: bigint }
  | { readonly name: 'Transfer'; readonly from: string; readonly to: string; readonly shares: bigint }
)

/** Reads a vault's logs of an interval, of all holders. */
export const vaultLogs = logStream<VaultContext['network']>({
  filter: ({ vault }) => ({ address: vault, events: [...HOLDER.keys()] }),
  kept: () => () => true,
})

/** Makes the test whether a log of a vault is about a holder. @param address in any case */
export function isOf(address: string, { vault }: VaultContext['network']) {
  const [holder, contract] = [`0x${address.slice(2).toLowerCase().padStart(64, '0')}`, vault.toLowerCase()]
  return ({ address: of, topics, data }: Pick<PlacedLog, 'address' | 'topics' | 'data'>) => {
    const places = of === contract ? HOLDER.get(topics[0] ?? '') : undefined
    if (places?.length === 0) return data.slice(0, holder.length).toLowerCase() === holder
    return places?.some((place) => topics[place] === holder) === true
  }
}

/** Reads an event of a vault from a log. @throws ethers' errors for an event whose data is cut short */
export function eventOf(log: PlacedLog): VaultEvent {
  const parsed = abi.interface.parseLog(log)
  if (!parsed) throw new TypeError('a log of no event of a vault')
  const { name, args } = parsed
  const lower = (address: unknown) => String(address).toLowerCase()
  const { assets, shares } = args
  switch (name) {
    case 'Deposited':
      return { name, caller: lower(args.caller), assets, shares, log }
    case 'Redeemed':
      return { name, receiver: lower(args.receiver), assets, shares, log }
    case 'ExitQueueEntered':
      return { name, owner: lower(args.owner), receiver: lower(args.receiver), ticket: args.positionTicket, shares, log }
    case 'V2ExitQueueEntered':
      return { name, log }
    case 'ExitedAssetsClaimed':
      return { name, ticket: args.prevPositionTicket, newTicket: args.newPositionTicket, assets: args.withdrawnAssets, log }
    case 'OsTokenLiquidated':
    case 'OsTokenRedeemed':
      return { name: 'OsTokenTaken', receiver: lower(args.receiver), assets: args.receivedAssets ?? assets, shares, log }
    case 'Transfer':
      return { name, from: lower(args.from), to: lower(args.to), shares: args.value, log }
    default:
      return { name: name === 'Migrated' ? name : 'FeeSharesMinted', assets, shares, log }
  }
}
