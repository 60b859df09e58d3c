import { type Context, type NetworkBase, protocol } from '@svc/contract'
import type { Static } from 'typebox'
import { NearAccount, type NearClient, type NearSettings, near } from './kit/index.ts'

/** Settings particular to the pool. */
const settings = { pool: NearAccount }

export const { defineAction, definePlugin } = protocol(near, settings)

type Settings = { [K in keyof typeof settings]: Static<(typeof settings)[K]> }
export type PoolNetwork = NetworkBase & NearSettings & Settings
export type PoolContext = Context<NearClient, NearSettings & Settings>
