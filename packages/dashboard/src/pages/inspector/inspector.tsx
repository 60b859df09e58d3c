import { useEffect, useState } from 'preact/hooks'
import './inspector.css'
import { Button } from '../../parts/form/button.tsx'
import { Note } from '../../parts/notice/note.tsx'
import type { Inspectorate } from '../../realm/inspection.ts'
import { Input } from './input.tsx'
import { Result } from './result.tsx'
import { useInspection } from './use-inspection.ts'
import { outcome, sorted } from './words.ts'

/** Everything of the Inspector that needs no service: what is put in at the left, what it is at the right. */
export function Inspector({ open }: { readonly open: () => Promise<Inspectorate> }) {
  const inspected = useInspection(open)
  const inspectorate = useInspectorate(open)
  const { inspection, terms, request, action } = inspected
  const isDragged = useDrop(inspected.take)
  const wants = inspection.kind === 'read' ? Object.assign({}, ...inspection.readings.map((reading) => reading.wants)) : {}
  const wantsAddress = inspection.kind === 'read' && inspection.readings.some((reading) => sorted(reading).asks.length > 0)
  return (
    <div class={isDragged ? 'columns inspector dragged' : 'columns inspector'}>
      <Input
        inspected={inspected}
        wants={wants}
        wantsAddress={wantsAddress}
        protocols={'protocols' in inspectorate ? inspectorate.protocols : []}
      />
      <div class="stack">
        <Loads state={inspectorate} />
        <Result
          inspection={inspection}
          protocols={'protocols' in inspectorate ? inspectorate.protocols : null}
          hasTerms={terms !== null}
          isAsked={request.trim() !== '' || action !== ''}
        />
      </div>
      <span class="hidden-visually" role="status">
        {outcome(inspection)}
      </span>
    </div>
  )
}

/** Intents that are here, or what is instead: they are being loaded, or a sentence on why they are not here. */
type Loaded = Inspectorate | { readonly why: string | null; again(): void }

function useInspectorate(open: () => Promise<Inspectorate>): Loaded {
  const [round, setRound] = useState(0)
  const [state, setState] = useState<Inspectorate | { readonly why: string | null }>({ why: null })
  useEffect(() => {
    let isLatest = true
    setState({ why: null })
    open()
      .catch((error: unknown) => ({ why: error instanceof Error ? error.message : String(error) }))
      .then((outcome) => {
        if (isLatest) setState(outcome)
      })
    return () => {
      isLatest = false
    }
  }, [round])
  return 'why' in state ? { why: state.why, again: () => setRound((n) => n + 1) } : state
}

/** Says which intents are not here. */
function Loads({ state }: { readonly state: Loaded }) {
  const faults = 'why' in state ? (state.why === null ? [] : [state.why]) : state.faults
  return (
    <>
      {faults.map((fault) => (
        <Note key={fault} kind="bad" alert>
          <span class="break">{fault}</span>
        </Note>
      ))}
      {'again' in state && state.why !== null ? (
        <p>
          <Button onClick={state.again}>Load them again</Button>
        </p>
      ) : null}
    </>
  )
}

/** Files that are dropped anywhere on the page. @returns whether some are being held over it */
function useDrop(take: (files: Iterable<File>) => Promise<void>): boolean {
  const [isDragged, setDragged] = useState(false)
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault()
      setDragged(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragged(false)
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setDragged(false)
      void take(event.dataTransfer?.files ?? [])
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return isDragged
}
