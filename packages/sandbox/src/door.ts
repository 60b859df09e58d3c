import type { RequestListener } from 'node:http'
import type { Fault } from './fault.ts'
import { startFaultProxy } from './fault-proxy.ts'
import type { PushListener } from './websocket.ts'

/** Door through which clients reach a local chain: the fault proxy, and the one end of everything behind it. */
export interface Door {
  /** The chain's `rpcUrl`. */
  readonly url: string
  /** @throws SandboxError `INVALID_INPUT` */
  fault(fault: Fault): void
  /** The fault that is switched on; null when there is none. */
  faulted(): Fault | null
  /** Registers what else ends with the chain. */
  onClose(closer: () => Promise<void>): void
  /** Ends the proxy, the engine and what was registered, once, and waits until all have ended. */
  close(): Promise<void>
}

/** A local chain as far as its door goes: what there is of every chain that is reached through one. */
export abstract class DoorChain {
  readonly rpcUrl: string
  readonly fault: Door['fault']
  readonly faulted: Door['faulted']
  readonly onClose: Door['onClose']
  /** Ends the door, what is behind it and what scenarios registered, and waits until all have ended. */
  readonly close: Door['close']

  constructor({ url, fault, faulted, onClose, close }: Door) {
    this.rpcUrl = url
    this.fault = fault
    this.faulted = faulted
    this.onClose = onClose
    this.close = close
  }
}

/**
 * Opens the door of a local chain, its port for clients, for any family that speaks HTTP.
 *
 * @param options.id of the chain, as in `evm:143`
 * @param options.engine what is behind it: the URL of its own port, and its end, which comes too when the door cannot be opened; or what
 *   answers, of an engine in this process, and what serves its WebSockets
 * @param options.port of the door; any free one when absent
 * @param options.log gets a line when it is open, and one when all is closed
 * @throws SandboxError `PORT_BUSY`, `INVALID_INPUT`
 */
export async function openDoor(options: {
  readonly id: string
  readonly engine: { readonly url: string; close(): Promise<void> } | { readonly answer: RequestListener; readonly push?: PushListener }
  readonly port?: number | undefined
  readonly log?: ((line: string) => void) | undefined
}): Promise<Door> {
  const { id, engine, port = 0, log = () => {} } = options
  const { target, push, end } =
    'url' in engine ? { target: engine.url, end: () => engine.close() } : { target: engine.answer, push: engine.push, end: async () => {} }
  const proxy = await startFaultProxy({ target, push, port, name: `chain ${id}` }).catch(async (error: unknown) => {
    await end()
    throw error
  })
  log(`${id} listens on ${proxy.url}`)
  const closers = [() => proxy.close(), end]
  let closing: Promise<void> | undefined
  return {
    url: proxy.url,
    fault: (fault) => proxy.fault(fault),
    faulted: () => proxy.faulted(),
    onClose: (closer) => void closers.push(closer),
    close() {
      closing ??= Promise.all(closers.map((close) => close())).then(() => log(`${id} is closed`))
      return closing
    },
  }
}
