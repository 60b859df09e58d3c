import { MsgExec, MsgExecResponse, MsgGrant, MsgGrantResponse, MsgRevoke, MsgRevokeResponse } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { ChainError, sdk } from '../errors.ts'
import { deleteGrant, saveGrant, useGrant } from '../modules/authz.ts'
import { decodeFields, type Fields } from './fields.ts'
import { accountAddress, type MessageReader } from './message.ts'

const ANY: Fields = { 1: true, 2: true }

/** Gas of the messages of authorisations, without what they run: a choice near what one write of such a size takes by the SDK's KVGasConfig, and not measured. */
export const GRANT_GAS: Readonly<Record<string, bigint>> = {
  '/cosmos.authz.v1beta1.MsgGrant': 12_000n,
  '/cosmos.authz.v1beta1.MsgRevoke': 6_000n,
  '/cosmos.authz.v1beta1.MsgExec': 150_000n,
}

/** Messages of x/authz. */
export const authzReaders: Readonly<Record<string, MessageReader>> = {
  [MsgGrant.typeUrl](value) {
    const msg = decodeFields(MsgGrant, value, { 1: true, 2: true, 3: { 1: ANY, 2: ANY } })
    return {
      signer: msg.granter,
      run(ctx) {
        const { authorization, expiration } = msg.grant
        if (authorization === undefined) throw new ChainError(sdk.invalidType, 'authorization is nil')
        saveGrant(ctx, msg.granter, accountAddress(ctx, msg.grantee, 'grantee'), {
          ...authorization,
          expiration: expiration === undefined ? null : Number(expiration.seconds) * 1000 + Math.floor(expiration.nanos / 1_000_000),
        })
        return MsgGrantResponse.encode({}).finish()
      },
    }
  },
  [MsgRevoke.typeUrl](value) {
    const msg = decodeFields(MsgRevoke, value, { 1: true, 2: true, 3: true })
    return {
      signer: msg.granter,
      run(ctx) {
        deleteGrant(ctx, msg.granter, accountAddress(ctx, msg.grantee, 'grantee'), msg.msgTypeUrl)
        return MsgRevokeResponse.encode({}).finish()
      },
    }
  },
  [MsgExec.typeUrl](value, inner) {
    const msg = decodeFields(MsgExec, value, { 1: true, 2: ANY })
    const messages = msg.msgs.map((each) => ({ any: each, message: inner(each) }))
    return {
      signer: msg.grantee,
      run(ctx) {
        if (messages.length === 0) throw new ChainError(sdk.invalidRequest, 'messages cannot be empty')
        const results = messages.map(({ any, message }, index) => {
          useGrant(ctx, msg.grantee, message.signer, any)
          const own = { ...ctx, events: [] as typeof ctx.events }
          const result = message.run(own)
          const at = { key: 'authz_msg_index', value: String(index), index: true }
          ctx.events.push(...own.events.map(({ type, attributes }) => ({ type, attributes: [...attributes, at] })))
          return result
        })
        return MsgExecResponse.encode({ results }).finish()
      },
    }
  },
}
