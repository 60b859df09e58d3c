import type { ProtocolPlugin } from '@svc/contract'
import type { AnyScenario, Sandbox } from '@svc/sandbox'
import type { Mismatch } from '@svc/verify'

/** A protocol as the bench knows it: its world, a position in which every request has something to do, and the requests. */
export interface Subject {
  /** Path segment of the protocol, the label of its rows. */
  readonly label: string
  readonly name: string
  readonly prefix: string
  readonly plugin: ProtocolPlugin
  readonly scenario: AnyScenario
  /** Brings the funded wallets there, by the service itself. @returns what is then asked for */
  position(hand: Hand): Promise<readonly Request[]>
  /** The second reading of the first request's craft, done once as the service does it for every craft. */
  readonly decode?: (craft: Craft, wallets: Sandbox['wallets']) => () => readonly Mismatch[]
}

export interface Request {
  readonly name: string
  readonly path: string
  /** Absent for a read. */
  readonly body?: object
}

/** What a position is made with. */
export interface Hand {
  readonly wallets: Sandbox['wallets']
  get(path: string): Promise<Record<string, unknown>>
  /** Craft, signature by `sign`, prepare, broadcast. */
  act(action: string, body: object, sign: (craft: Craft) => object | Promise<object>): Promise<void>
  advance(epochs: number): Promise<void>
}

/** A craft response, of whichever family. */
export type Craft = Readonly<Record<string, string>>

/** What every protocol has. */
export function reads(address: string): readonly Request[] {
  return [
    { name: 'staking-balance', path: `/staking-balance/${address}` },
    { name: 'networks', path: '/networks' },
    { name: 'staking-info', path: '/staking-info' },
  ]
}

/** @param body the members of the action */
export function action(name: string, body: object): Request {
  return { name, path: `/action/${name}`, body }
}
