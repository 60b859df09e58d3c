import { createServer, type Server } from 'node:http'
import { acceptWebSocket, isSandboxError, listen, type ServerSocket, shut } from '@svc/sandbox'
import type { World } from '../world.ts'
import { RpcError } from './error.ts'
import type { Method } from './method.ts'
import { answerTo, failure } from './server.ts'
import { Subscriptions } from './subscriptions.ts'

/** Most bytes of a text that a node takes over its WebSocket. @see agave rpc, rpc_pubsub_service.rs, set_max_message_size (read 2026-11-30) */
const textLimit = 4096
/** Times that another pair of free ports is tried. */
const tries = 20

/** The node's WebSocket, on a port of its own. */
export interface PubSub {
  /** Breaks its connections off, and ends it. */
  close(): Promise<void>
}

/**
 * Opens the WebSocket of a node beside its RPC: at the next port, as a validator does.
 *
 * @param options.port of the RPC; any free one whose next is free when it is 0
 * @param options.open opens the RPC at a port
 * @returns what `open` returns, and the WebSocket, which is to be closed with it
 * @throws SandboxError `PORT_BUSY`, and what `open` throws
 * @see https://docs.anza.xyz/clusters (rpc_pubsub at the port of the RPC plus 1)
 */
export async function openPair<Rpc>(options: {
  readonly world: World
  readonly port: number
  readonly name: string
  open(port: number): Promise<Rpc>
}): Promise<{ readonly rpc: Rpc; readonly pubsub: PubSub }> {
  const { world, port, name, open } = options
  const { server, breakOff } = serverOf(world)
  for (let left = tries; ; left--) {
    const url = await listen(server, port === 0 ? 0 : port + 1, `subscriptions of ${name}`)
    try {
      const rpc = await open(Number(new URL(url).port) - 1)
      return {
        rpc,
        pubsub: {
          async close() {
            breakOff()
            await shut(server)
          },
        },
      }
    } catch (error) {
      await shut(server)
      if (port !== 0 || left === 0 || !isSandboxError(error) || error.code !== 'PORT_BUSY') throw error
    }
  }
}

function serverOf(world: World): { readonly server: Server; breakOff(): void } {
  const subscriptions = new Subscriptions(world)
  const sockets = new Set<ServerSocket>()
  let isServed = true
  const breakOff = () => {
    for (const socket of sockets) socket.destroy()
  }
  world.onPushes = (on) => {
    isServed = on
    if (!on) breakOff()
  }
  // Whoever asks for a page is broken off, as by a node.
  const server = createServer((request) => void request.socket.destroy())
  server.on('upgrade', (request, socket, head) => {
    if (!isServed) return void socket.destroy()
    const { methods, end } = subscriptions.of((text) => open?.send(text))
    const open = acceptWebSocket(request, socket, head, {
      mostBytes: textLimit,
      text(text) {
        const answer = answerOf(methods, text)
        if (answer !== undefined) open?.send(JSON.stringify(answer))
      },
      closed() {
        end()
        if (open) sockets.delete(open)
      },
    })
    if (open) sockets.add(open)
  })
  return { server, breakOff }
}

function answerOf(methods: Readonly<Record<string, Method>>, text: string): unknown {
  try {
    return answerTo(methods, JSON.parse(text))
  } catch {
    return failure(null, new RpcError(-32_700, 'Parse error'))
  }
}
