import { once } from 'node:events'
import type { Config, LoadedConfig } from '@svc/core'
import { load } from '../cli/config.ts'
import { explain } from '../cli/refusal.ts'
import { placesOf } from '../home.ts'
import type { Order, ToWorker } from './messages.ts'
import { createPost } from './post.ts'
import { serve } from './serve.ts'

/** Runs a worker by its primary's order; reports a failure to start, and ends. */
export async function work(): Promise<void> {
  if (!process.send) {
    console.error('svc: this is a part of `svc start`, which starts it.')
    process.exit(1)
  }
  const [message] = (await once(process, 'message')) as [ToWorker]
  if (message.kind !== 'begin') throw new Error(`A worker is told ${message.kind} before it is told to begin.`)
  const post = createPost()
  try {
    await serve(await configOf(message.order), message.order, post)
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    await post.tell({ kind: 'refused', text: explain(error), stack })
    // Not by itself: what was begun, such as a connection that still waits, would keep the process.
    process.exit(1)
  }
}

async function configOf({ file, accepted }: Order): Promise<LoadedConfig> {
  if (accepted === undefined) return load(file)
  return { file, places: placesOf(file), config: JSON.parse(accepted) as Config }
}
