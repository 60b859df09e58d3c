import { type Inspection, isTrust, type Members, readGiven, type TrustDocument } from '@svc/verify/inspect'
import { parseExact } from '@svc/verify/intent'
import { useEffect, useState } from 'preact/hooks'
import type { Inspectorate } from '../../realm/inspection.ts'

/** A trust document, and the file it came from. */
interface Terms {
  readonly name: string
  readonly document: TrustDocument
}

/** All that an inspection is made of, and what it says. */
export interface InspectionState {
  readonly text: string
  readonly request: string
  /** The action that was asked for; empty when it is not said. */
  readonly action: string
  /** Facts beside the bytes, by the names of response headers. */
  readonly stated: Readonly<Record<string, string>>
  /** Address of whoever reads the page; empty while the reader has not said it. */
  readonly address: string
  readonly terms: Terms | null
  /** Fault of what was dropped last; null when nothing was wrong. */
  readonly fault: string | null
  /** Fault of the request; null when nothing is wrong. */
  readonly requestFault: string | null
  readonly inspection: Inspection
  setText(text: string): void
  setRequest(text: string): void
  setAction(name: string): void
  setStated(name: string, text: string): void
  setAddress(text: string): void
  dropTerms(): void
  /** Takes files, each for what it is: a trust document, or a transaction. */
  take(files: Iterable<File>): Promise<void>
}

/** Time that typing has to rest before the text is read, in milliseconds: a choice of this project. */
const REST_MS = 150

/** Reads what is put in, again whenever a part of it changes. @param open gives what reads it, which may have to be loaded first */
export function useInspection(open: () => Promise<Inspectorate>): InspectionState {
  const [text, setPlainText] = useState('')
  const [request, setRequest] = useState('')
  const [action, setAction] = useState('')
  const [stated, setStated] = useState<Readonly<Record<string, string>>>({})
  const [address, setAddress] = useState('')
  const [terms, setTerms] = useState<Terms | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [inspection, setInspection] = useState<Inspection>({ kind: 'nothing' })
  const body = requestOf(request)

  useEffect(() => {
    let isLatest = true
    const read = async () => {
      const question = {
        text,
        trust: terms?.document ?? null,
        request: 'members' in body ? body.members : null,
        action: action || undefined,
        stated,
        address,
        now: new Date(),
      }
      const outcome = await open()
        .then((inspectorate) => inspectorate.inspect(question))
        .catch(
          (error: unknown): Inspection => ({ kind: 'unreadable', why: error instanceof Error ? error.message : String(error), tried: [] }),
        )
      if (isLatest) setInspection(outcome)
    }
    if (text === '') {
      setInspection({ kind: 'nothing' })
      return
    }
    const timer = window.setTimeout(read, REST_MS)
    return () => {
      isLatest = false
      window.clearTimeout(timer)
    }
  }, [text, request, action, stated, address, terms])

  const setText = (input: string) => {
    setFault(null)
    const match = readGiven(input)
    // Pasted among transactions, it is still what it is.
    if (match.kind === 'trust') setTerms({ name: 'pasted', document: match.document })
    else setPlainText(input)
  }

  return {
    text,
    request,
    action,
    stated,
    address,
    terms,
    fault,
    requestFault: 'fault' in body ? body.fault : null,
    inspection,
    setText,
    setRequest,
    setAction,
    setStated: (name, input) => setStated((old) => ({ ...old, [name]: input })),
    setAddress,
    dropTerms: () => setTerms(null),
    async take(files) {
      setFault(null)
      for (const file of files) {
        if (file.size > MOST_BYTES) {
          setFault(`${file.name} has ${file.size} bytes; no transaction or trust document is that large.`)
          continue
        }
        const content = textOf(new Uint8Array(await file.arrayBuffer()))
        const reading = readGiven(content)
        if (reading.kind === 'trust') setTerms({ name: file.name, document: reading.document })
        else if (reading.kind === 'nothing') setFault(`${file.name} is empty.`)
        else setPlainText(content)
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
  return {
    fault: 'This is no JSON object, or has a member twice. It would be the body of the request, such as {"address": "0x…", "amount": 100}.',
  }
}
