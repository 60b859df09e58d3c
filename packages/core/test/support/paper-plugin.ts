import { Amount, declareErrors } from '@svc/contract'
import { PaperAddress, promise } from '@svc/testing/paper'
import { defineAction, definePlugin, give as giveAlone, NO_TERMS } from '@svc/testing/paper-protocol'
import { Type } from 'typebox'

const { badRequest, serviceError, unavailable } = declareErrors({ TEAPOT: [418, 'A teapot.'], TOO_LATE: [400, 'Too late.'] })

const body = { address: PaperAddress, amount: Amount() }

/** Gives to the network's clerk, with members that are not amounts. */
const give = defineAction({
  ...giveAlone,
  body: { ...body, note: Type.Optional(Type.String({ maxLength: 10 })), copies: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })) },
})

/** As `give`, but a body that does not fit is 422. */
const strict = defineAction({ ...give, summary: 'Give, strictly', invalidBody: 422 })

/** Writes another amount than it promises. */
const cheat = defineAction({
  ...give,
  summary: 'Promise one thing and write another',
  craft: (network, { address, amount }) => ({ from: address, to: network.clerk, verb: 'give', amount: amount + 1n }),
})

/** Fails as its `how` says. */
const fail = defineAction({
  summary: 'Fail',
  body: { ...body, how: Type.String() },
  async guard(_ctx, { how }) {
    if (how === 'fault') throw new TypeError('secret detail at http://node.example/key')
    if (how === 'text') throw 'secret detail'
    if (how === 'nothing') throw undefined
    if (how === 'busy') throw unavailable('UPSTREAM_BUSY', 'The desk is busy.', 17)
    if (how === 'refused') throw badRequest('TOO_LATE', 'It is too late.')
    if (how === 'teapot') throw serviceError(418, 'TEAPOT', 'It is a teapot.')
    // What a part of the framework throws for a request that it does not want.
    if (how === 'framework') throw Object.assign(new Error('The range is not one'), { statusCode: 416, code: 'FST_ERR_RANGE' })
    // What another library throws, which names a status of its own.
    if (how === 'foreign') throw Object.assign(new Error('secret detail'), { statusCode: 404, code: 'ENOENT' })
  },
  craft: (network, { address, amount }) => ({ from: address, to: network.clerk, verb: 'fail', amount }),
  effects: (network, { address, amount }) => promise(address, network.clerk, 'fail', amount),
})

export const declaration = {
  name: '@svc/plugin-paper',
  prefix: '/paper/native',
  summary: 'Papers.',
  maxFee: '1',
  actions: { give, strict, cheat, fail },
  balance: async (_ctx, address) => ({
    staked: 100_000_000_000_000_000_001n,
    activating: null,
    deactivating: null,
    withdrawing: 0n,
    rewards: address === 'p009' ? null : 1n,
    objects: [
      {
        id: '0',
        type: 'delegation',
        status: 'active',
        amount: null,
        rewards: null,
        validator: null,
        activationEpoch: null,
        withdrawableEpoch: null,
        withdrawableAt: null,
      },
    ],
  }),
  info: async ({ network }) => ({ ...NO_TERMS, aprPercent: 0, users: network.clerk === 'p002' ? 2 : 9 }),
  inspect: async () => undefined,
  routes(reads) {
    const Clerk = Type.Object({ clerk: Type.String({ description: 'The clerk.' }) }, { description: 'The clerk.' })
    reads.get('/clerk', { summary: 'The clerk', response: { 200: Clerk } }, async ({ network }) => ({ clerk: network.clerk }))
  },
} satisfies Parameters<typeof definePlugin>[0]

export const paper = definePlugin(declaration)
