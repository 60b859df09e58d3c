import { type FaultProxy, isSandboxError, type PushListener, startFaultProxy } from '@svc/sandbox'
import type { World } from '../world.ts'
import { RpcError } from './error.ts'
import type { Method } from './method.ts'
import { answerTo, failure } from './server.ts'
import { Subscriptions } from './subscriptions.ts'

/** Most bytes of a text that a node takes over its WebSocket. @see agave rpc, rpc_pubsub_service.rs, set_max_message_size (read 2026-11-30) */
const textLimit = 4096
/** Times that another pair of free ports is tried. */
const tries = 20

/**
 * Opens the WebSocket of a node beside its RPC: at the next port, as a validator does.
 *
 * @param options.port of the RPC; any free one whose next is free when it is 0
 * @param options.open opens the RPC at a port
 * @returns what `open` returns, and the door of the WebSocket, which is to be closed with it
 * @throws SandboxError `PORT_BUSY`, and what `open` throws
 * @see agave validator, rpc_pubsub_addr: the port of the RPC plus 1 (read 2026-11-30)
 */
export async function openPair<Rpc>(options: {
  readonly world: World
  readonly port: number
  readonly name: string
  open(port: number): Promise<Rpc>
}): Promise<{ readonly rpc: Rpc; readonly pubsub: FaultProxy }> {
  const { world, port, name, open } = options
  const push = pushesOf(world)
  for (let left = tries; ; left--) {
    const pubsub = await startFaultProxy({
      // Whoever asks for a page is broken off, as by a node.
      target: (request) => void request.socket.destroy(),
      push,
      port: port === 0 ? 0 : port + 1,
      name: `subscriptions of ${name}`,
    })
    try {
      const rpc = await open(Number(new URL(pubsub.url).port) - 1)
      world.pubsub = pubsub
      return { rpc, pubsub }
    } catch (error) {
      await pubsub.close()
      if (port !== 0 || left === 0 || !isSandboxError(error) || error.code !== 'PORT_BUSY') throw error
    }
  }
}

function pushesOf(world: World): PushListener {
  const subscriptions = new Subscriptions(world)
  return (_path, client) => {
    const { methods, end } = subscriptions.of(client.send)
    return {
      text(text) {
        if (Buffer.byteLength(text) > textLimit) return client.close()
        const answer = answerOf(methods, text)
        if (answer !== undefined) client.send(JSON.stringify(answer))
      },
      closed: end,
    }
  }
}

function answerOf(methods: Readonly<Record<string, Method>>, text: string): unknown {
  try {
    return answerTo(methods, JSON.parse(text))
  } catch {
    return failure(null, new RpcError(-32_700, 'Parse error'))
  }
}
