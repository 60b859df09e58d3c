import { Refused, type Sandbox } from './files.ts'

/** A chain of the sandbox. */
export interface LocalChain {
  /** Your own node. */
  readonly rpcUrl: string
  /** Moves the chain on. Against a real one this is waiting. @returns the time that it is then */
  advance(step: { readonly epochs: number } | { readonly seconds: number }): Promise<Date>
}

/** Finds a local chain of a running sandbox. @param id as the sandbox names it, `evm:143` @throws Refused when there is none */
export function chainOf({ chains, controlUrl }: Sandbox, id: string): LocalChain {
  const { rpcUrl } = chains[id] ?? {}
  if (rpcUrl === undefined) throw new Refused(`The sandbox has no chain ${id}.`)
  return {
    rpcUrl,
    async advance(step) {
      const response = await fetch(`${controlUrl}/chains/${id.replace(':', '/')}/advance`, { method: 'POST', body: JSON.stringify(step) })
      const { timestamp, error } = (await response.json()) as { timestamp: number; error?: string }
      if (!response.ok) throw new Refused(`The chain could not be moved on: ${error}`)
      return new Date(timestamp * 1000)
    },
  }
}
