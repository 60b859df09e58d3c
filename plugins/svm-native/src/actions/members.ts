import { SvmAddress } from '@svc/kit-svm'
import { Type } from 'typebox'

/** Members that several bodies have. */
export const NonceAccount = Type.Optional(
  Type.Unsafe<string>({
    ...SvmAddress,
    description: 'A nonce account whose authority is the wallet; with it the transaction does not expire.',
  }),
)

export const StakeAccountAddress = Type.Unsafe<string>({
  ...SvmAddress,
  description: 'A stake account of the wallet, on whichever validator: the id of an object of the balance.',
  examples: ['9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu'],
})
