import {
  MsgGrantAllowance,
  MsgGrantAllowanceResponse,
  MsgRevokeAllowance,
  MsgRevokeAllowanceResponse,
} from 'cosmjs-types/cosmos/feegrant/v1beta1/tx'
import { emit } from '../context.ts'
import { ChainError, feegrant, sdk } from '../errors.ts'
import { ensureAccount } from '../modules/auth.ts'
import { decodeFields } from './fields.ts'
import { accountAddress, type MessageReader } from './message.ts'

/** Messages of x/feegrant. An allowance is kept and shown; no fee is paid out of it here. */
export const feegrantReaders: Readonly<Record<string, MessageReader>> = {
  [MsgGrantAllowance.typeUrl](value) {
    const msg = decodeFields(MsgGrantAllowance, value, { 1: true, 2: true, 3: { 1: true, 2: true } })
    return {
      signer: msg.granter,
      run(ctx) {
        const { granter, allowance } = msg
        const grantee = accountAddress(ctx, msg.grantee, 'grantee')
        if (granter === grantee) throw new ChainError(sdk.invalidAddress, 'cannot self-grant fee authorization')
        if (allowance === undefined) throw new ChainError(sdk.invalidType, 'allowance is nil')
        const key = `${grantee}/${granter}`
        if (ctx.state.allowances.has(key)) throw new ChainError(sdk.invalidRequest, 'fee allowance already exists')
        ensureAccount(ctx.state, grantee, {})
        ctx.state.allowances.set(key, allowance)
        emit(ctx, 'set_feegrant', { granter, grantee })
        return MsgGrantAllowanceResponse.encode({}).finish()
      },
    }
  },
  [MsgRevokeAllowance.typeUrl](value) {
    const msg = decodeFields(MsgRevokeAllowance, value, { 1: true, 2: true })
    return {
      signer: msg.granter,
      run(ctx) {
        const { granter, grantee } = msg
        const key = `${accountAddress(ctx, grantee, 'grantee')}/${granter}`
        if (!ctx.state.allowances.has(key)) throw new ChainError(feegrant.notFound)
        ctx.state.allowances.delete(key)
        emit(ctx, 'revoke_feegrant', { granter, grantee })
        return MsgRevokeAllowanceResponse.encode({}).finish()
      },
    }
  },
}
