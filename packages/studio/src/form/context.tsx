// What inputs may know of the form around them: the type and the entry, and the values beside them. They do not see the
// library that holds the values.

import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
import { FormProvider, type UseFormReturn, useFormContext, useWatch } from 'react-hook-form'
import type { ContentType } from '../model/types.ts'

export type FormValues = Record<string, unknown>

/** The entry that a form is about. */
export interface FormSubject {
  readonly type: ContentType
  /** Null for an entry that is being made. */
  readonly entryId: number | null
  readonly locale: string | null
}

interface FormState extends FormSubject {
  /** Faults that the panel itself has found, by the path of the value. */
  readonly localFaults: Map<string, string>
}

const StateContext = createContext<FormState | null>(null)

interface ProviderProps {
  readonly subject: FormSubject
  readonly form: UseFormReturn<FormValues>
  readonly localFaults: Map<string, string>
  readonly children: ReactNode
}

export function EntryFormProvider({ subject, form, localFaults, children }: ProviderProps) {
  const { type, entryId, locale } = subject
  const state = useMemo(() => ({ type, entryId, locale, localFaults }), [type, entryId, locale, localFaults])
  return (
    <StateContext value={state}>
      <FormProvider {...form}>{children}</FormProvider>
    </StateContext>
  )
}

function useOwnState(): FormState {
  const state = useContext(StateContext)
  if (state === null) throw new Error('This input needs a form around it')
  return state
}

/** The type and the entry of the form. */
export const useFormSubject = (): FormSubject => useOwnState()

/** The value at a path of the form, such as that of the target of a uid. */
export const useFormValue = (path: string): unknown => useWatch({ name: path })

/** Reads a value of the form at the moment, without following its changes. */
export function useFormReader(): (path: string) => unknown {
  const { getValues } = useFormContext()
  return getValues
}

/** Keeps the form from being saved while the value at a path has a fault that only the panel knows of. */
export function useLocalFault(path: string, fault: string | null): void {
  const { localFaults } = useOwnState()
  const kept = useRef(localFaults)
  kept.current = localFaults
  useEffect(() => {
    if (fault === null) kept.current.delete(path)
    else kept.current.set(path, fault)
    const faults = kept.current
    return () => void faults.delete(path)
  }, [path, fault])
}
