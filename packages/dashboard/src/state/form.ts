import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ApiFailure } from '../api/failure.ts'
import { useAction } from './action.ts'

/** Rules of a form: what it asks for and how it is judged. */
interface FormRules<Draft> {
  readonly begin: Draft
  /** Finds the faults that can be told of a member before the service is asked. */
  readonly faultsOf: (draft: Draft) => FaultsOf<Draft>
  /** The member that a failure is about; null when it is about none. */
  readonly memberOf: (failure: ApiFailure) => keyof Draft | null
  readonly onDone: (draft: Draft) => Promise<void>
}

/** Fault of each member, in a sentence. */
export type FaultsOf<Draft> = { readonly [Member in keyof Draft]?: string }

/** A form as it stands. */
interface FormState<Draft> {
  readonly draft: Draft
  readonly faults: FaultsOf<Draft>
  /** A failure that is about no member. */
  readonly failure: ApiFailure | null
  readonly busy: boolean
  /** Reference to the form's first field, which has the focus at the start. */
  readonly first: RefObject<HTMLInputElement | null>
  set(changes: Partial<Draft>): void
  submit(): void
}

/** Makes a form whose faults are told at the fields that they concern, the first of which gets the focus. */
export function useForm<Draft>({ begin, faultsOf, memberOf, onDone }: FormRules<Draft>): FormState<Draft> {
  const [draft, setDraft] = useState(begin)
  const [problems, setFound] = useState<FaultsOf<Draft>>({})
  const { busy, failure, clear, run } = useAction()
  const first = useRef<HTMLInputElement>(null)
  const tries = useRef(0)
  const member = failure ? memberOf(failure) : null
  useEffect(() => first.current?.focus(), [])
  useLayoutEffect(() => {
    if (tries.current === 0) return
    first.current?.form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problems, failure])
  return {
    draft,
    faults: failure && member !== null ? { ...problems, [member]: failure.message } : problems,
    failure: member === null ? failure : null,
    busy,
    first,
    set(changes) {
      setDraft({ ...draft, ...changes })
      setFound({})
      clear()
    },
    submit() {
      if (busy) return
      tries.current += 1
      const now = faultsOf(draft)
      setFound(now)
      clear()
      if (Object.keys(now).length === 0) void run(() => onDone(draft))
    },
  }
}
