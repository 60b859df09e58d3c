import { INSPECTION, type Inspectorate, type KnownProtocol, PROTOCOLS } from './inspection.ts'
import type { IntentEntry } from './intent-list.ts'
import { connect, type Handlers, Late, type Port } from './port.ts'
import { shaped } from './shape.ts'
import url from './worker.ts?worker&url'

/** Longest time that the script of one package may run, in milliseconds: a choice of this project. */
const LOAD_MS = 10_000
/** Longest time that a reading may take, in milliseconds: a choice of this project. */
const INSPECT_MS = 20_000

/** Intents that run apart from the page: in a worker that has no credential, and whose policy lets it reach nobody. */
export interface Realm extends Inspectorate {
  readonly port: Port
  /** True once it was ended; nothing in it answers any more. */
  isOver(): boolean
  end(): void
}

/**
 * Loads intents into a worker of their own, one after the other: one that throws is left out, and so is one that does not come to an end, with a new worker for the
 * others.
 *
 * @param handlers answers to what the intents' client asks of the page
 */
export async function openRealm(entries: readonly IntentEntry[], base: string, handlers: Handlers = {}): Promise<Realm> {
  return load(entries, [], base, handlers)
}

async function load(entries: readonly IntentEntry[], faults: readonly string[], base: string, handlers: Handlers): Promise<Realm> {
  const worker = startWorker()
  const port = connect(worker, handlers)
  await ready(worker, port)
  const protocols: KnownProtocol[] = []
  const wrong: string[] = []
  for (const entry of entries) {
    try {
      const answer = await port.call('load', new URL(entry.script, base).href, LOAD_MS)
      protocols.push(...shaped(PROTOCOLS, answer, `what ${entry.package} brings`))
    } catch (error) {
      wrong.push(`${entry.package} could not be loaded: ${error instanceof Error ? error.message : String(error)}`)
      if (!(error instanceof Late)) continue
      worker.terminate()
      const rest = entries.filter((each) => each !== entry)
      return load(rest, [...faults, ...wrong.slice(-1)], base, handlers)
    }
  }
  let over = false
  const end = () => {
    over = true
    worker.terminate()
  }
  return {
    port,
    protocols,
    faults: [...faults, ...wrong],
    isOver: () => over,
    end,
    async inspect(question) {
      try {
        return shaped(INSPECTION, await port.call('inspect', question, INSPECT_MS), 'what was read')
      } catch (error) {
        // Whoever waits for it now would wait in vain.
        if (error instanceof Late) end()
        throw error
      }
    },
  }
}

/** Waits until the worker's own script runs, so that what keeps it from that is laid to no intent. @throws Error with a sentence */
async function ready(worker: Worker, port: Port): Promise<void> {
  const broken = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error('The part of the page that reads transactions could not be loaded: is the service there?'))
    worker.addEventListener('error', fail, { once: true })
  })
  try {
    await Promise.race([port.call('ready', null, LOAD_MS), broken])
  } catch (error) {
    worker.terminate()
    throw error
  }
}

/** The browser's own object: a page may give a worker its address by a policy that its head names, which makes one address here. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(text: string): string }): { createScriptURL(text: string): string | URL }
}

let address: string | URL | undefined

function startWorker(): Worker {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes }
  address ??= trustedTypes?.createPolicy('svc-realm', { createScriptURL: () => url }).createScriptURL(url) ?? url
  return new Worker(address)
}
