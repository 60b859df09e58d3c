import { type Context, protocol } from '@svc/contract'
import { SvmAddress, type SvmClient, type SvmSettings, svm } from '@svc/kit-svm'
import type { Static } from 'typebox'

/** Settings particular to the vouchers: what an operator writes besides the endpoints of a network. */
const settings = { program: SvmAddress }

export const { defineAction, definePlugin } = protocol(svm, settings)

type Settings = { [K in keyof typeof settings]: Static<(typeof settings)[K]> }
export type VouchersContext = Context<SvmClient, SvmSettings & Settings>
