import { type Inspection, inspect, isTrust, type Members, readGiven, type TrustDocument } from '@svc/verify/inspect'
import { parseExact } from '@svc/verify/intent'
import { useEffect, useState } from 'preact/hooks'
import { protocols } from './protocols.ts'

/** A trust document, and the file it came from. */
export interface Terms {
  readonly name: string
  readonly document: TrustDocument
}

/** All that an inspection is made of, and what it says. */
export interface Inspected {
  readonly text: string
  readonly request: string
  /** The action that was asked for; empty when it is not said. */
  readonly action: string
  readonly accountNumber: string
  readonly terms: Terms | null
  /** What was wrong with what was dropped last; null when nothing. */
  readonly fault: string | null
  /** What is wrong with the request; null when nothing. */
  readonly requestFault: string | null
  readonly inspection: Inspection
  setText(text: string): void
  setRequest(text: string): void
  setAction(name: string): void
  setAccountNumber(text: string): void
  dropTerms(): void
  /** Takes files, each for what it is: a trust document, or a transaction. */
  take(files: Iterable<File>): Promise<void>
}

/** How long typing has to rest before it is read, in milliseconds: a choice of this project. */
const REST_MS = 150

/** Reads what is put in, again whenever a part of it changes. */
export function useInspection(): Inspected {
  const [text, setPlainText] = useState('')
  const [request, setRequest] = useState('')
  const [action, setAction] = useState('')
  const [accountNumber, setAccountNumber] = useState('')
  const [terms, setTerms] = useState<Terms | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [inspection, setInspection] = useState<Inspection>({ kind: 'nothing' })
  const body = requestOf(request)

  useEffect(() => {
    let isLatest = true
    const read = async () => {
      const asked = {
        text,
        protocols,
        trust: terms?.document ?? null,
        request: 'members' in body ? body.members : null,
        action: action || undefined,
        accountNumber,
        now: new Date(),
      }
      const found = await inspect(asked).catch(
        (error: unknown): Inspection => ({
          kind: 'unreadable',
          why: `The Inspector has a fault: ${error instanceof Error ? error.message : String(error)}`,
          tried: [],
        }),
      )
      if (isLatest) setInspection(found)
    }
    const timer = window.setTimeout(read, text === '' ? 0 : REST_MS)
    return () => {
      isLatest = false
      window.clearTimeout(timer)
    }
  }, [text, request, action, accountNumber, terms])

  const setText = (given: string) => {
    setFault(null)
    const found = readGiven(given)
    // Pasted among transactions, it is still what it is.
    if (found.kind === 'trust') setTerms({ name: 'pasted', document: found.document })
    else setPlainText(given)
  }

  return {
    text,
    request,
    action,
    accountNumber,
    terms,
    fault,
    requestFault: 'fault' in body ? body.fault : null,
    inspection,
    setText,
    setRequest,
    setAction,
    setAccountNumber,
    dropTerms: () => setTerms(null),
    async take(files) {
      setFault(null)
      for (const file of files) {
        if (file.size > MOST_BYTES) {
          setFault(`${file.name} has ${file.size} bytes; no transaction or trust document is that large.`)
          continue
        }
        const given = textOf(new Uint8Array(await file.arrayBuffer()))
        const found = readGiven(given)
        if (found.kind === 'trust') setTerms({ name: file.name, document: found.document })
        else if (found.kind === 'nothing') setFault(`${file.name} is empty.`)
        else setPlainText(given)
      }
    },
  }
}

/** A file's size beyond which it is not even read: the reader's own bound is 4 Mi characters. */
const MOST_BYTES = 4 * 1024 * 1024

/** A file's text; bytes that are none are a transaction as it is sent. */
function textOf(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // Control characters other than blanks are in no text.
    if (!/[^\P{Cc}\s]/u.test(text)) return text
  } catch {
    // No UTF-8.
  }
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function requestOf(text: string): { readonly members: Members | null } | { readonly fault: string } {
  if (text.trim() === '') return { members: null }
  try {
    const value = parseExact(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      if (isTrust(value)) return { fault: 'This is a trust document: drop it on the page instead.' }
      return { members: value as Members }
    }
  } catch {
    // Said below.
  }
  return { fault: 'This is no JSON object. It would be the body of the request, such as {"address": "0x…", "amount": 100}.' }
}
