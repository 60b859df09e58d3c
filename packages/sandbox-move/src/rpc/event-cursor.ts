import { membersOf } from '@svc/sandbox'
import { invalid } from '../errors.ts'

/** Position of an event: in a checkpoint, which holds one transaction here, the one after so many others of it. */
export interface Position {
  readonly checkpoint: bigint
  readonly index: number
}

/** Cursor of a frame: the event that it brought, or the edge in front of a position, at which no event need be. */
export interface Cursor extends Position {
  readonly kind: 'item' | 'boundary'
}

/** Compares two positions for a sort, the earlier first. */
export function compare(a: Position, b: Position): number {
  if (a.checkpoint !== b.checkpoint) return a.checkpoint < b.checkpoint ? -1 : 1
  return a.index - b.index
}

/** Returns the first position after a cursor. */
export function isAfter({ kind, checkpoint, index }: Cursor): Position {
  return { checkpoint, index: kind === 'item' ? index + 1 : index }
}

/** Returns the position at a cursor; all those before the cursor are below it. */
export function isBefore({ checkpoint, index }: Cursor): Position {
  return { checkpoint, index }
}

/** Writes a cursor that `readCursor` reads. Its form is the sandbox's own: callers hand cursors back as they are. */
export function writeCursor({ kind, checkpoint, index }: Cursor): Uint8Array {
  return new Uint8Array(Buffer.from(JSON.stringify({ events: kind, checkpoint: String(checkpoint), index })))
}

/** Reads the place in a list of events from a cursor. @throws GrpcError `INVALID_ARGUMENT` for what is no cursor of a list of events */
export function readCursor(name: string, bytes: Uint8Array): Cursor {
  try {
    const { events: kind, checkpoint, index } = membersOf(JSON.parse(Buffer.from(bytes).toString('utf8')))
    if ((kind === 'item' || kind === 'boundary') && typeof checkpoint === 'string' && /^\d+$/.test(checkpoint) && typeof index === 'number')
      return { kind, checkpoint: BigInt(checkpoint), index }
  } catch {}
  throw invalid(`invalid ${name}`)
}
