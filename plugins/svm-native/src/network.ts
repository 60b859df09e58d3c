import { type Context, protocol } from '@svc/contract'
import { SvmAddress, type SvmClient, type SvmSettings, svm } from '@svc/kit-svm'
import { type Static, type TObject, Type } from 'typebox'

/** Settings particular to native staking. */
const settings = {
  validator: Type.Unsafe<string>({
    ...SvmAddress,
    description: "The operator's validator: the address of its vote account, not of its identity.",
    examples: ['GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse'],
  }),
}

export const { defineAction, definePlugin } = protocol(svm, settings)

type Settings = Static<TObject<typeof settings>>
export type NativeContext = Context<SvmClient, SvmSettings & Settings>
