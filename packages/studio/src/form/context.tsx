// The part of a form that its inputs may read: the type and the entry, and the values beside them. They do not see the
// library that holds the values.

import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react'
import { type Control, FormProvider, type UseFormReturn, useWatch } from 'react-hook-form'
import { faultsBelow } from '../model/faults.ts'
import type { ContentType } from '../model/types.ts'

export type FormValues = Record<string, unknown>

/** The entry that a form is about. */
export interface FormSubject {
  readonly type: ContentType
  /** Null for an entry that is being made. */
  readonly entryId: number | null
  readonly locale: string | null
}

type FormMethods = Pick<
  UseFormReturn<FormValues>,
  'clearErrors' | 'getErrors' | 'getValues' | 'setError' | 'setValue' | 'subscribe'
>

interface FormState extends FormSubject, FormMethods {
  readonly control: Control<FormValues>
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
  const { control, clearErrors, getErrors, getValues, setError, setValue, subscribe } = form
  const state = useMemo(
    () => ({
      type,
      entryId,
      locale,
      localFaults,
      control,
      clearErrors,
      getErrors,
      getValues,
      setError,
      setValue,
      subscribe,
    }),
    [type, entryId, locale, localFaults, control, clearErrors, getErrors, getValues, setError, setValue, subscribe],
  )
  // The state that the library keeps of the form changes with each key, and with it everything that reads its context.
  // Inputs get by without it.
  const methods = useMemo(() => ({ ...form }), [form])
  return (
    <StateContext value={state}>
      <FormProvider {...methods}>{children}</FormProvider>
    </StateContext>
  )
}

/** Returns the state of the form. Only for the form itself: inputs use the hooks below. */
export function useOwnState(): FormState {
  const state = useContext(StateContext)
  if (state === null) throw new Error('This input needs a form around it')
  return state
}

/** The type and the entry of the form. */
export const useFormSubject = (): FormSubject => useOwnState()

/** The value at a path of the form, such as that of the target of a uid. */
export const useFormValue = (path: string): unknown => useWatch({ control: useOwnState().control, name: path })

/** Returns a value that is derived from the value at a path. Renders again only when it changes. */
export const useDerivedValue = <Derived,>(path: string, derive: (value: unknown) => Derived): Derived =>
  useWatch({ control: useOwnState().control, name: path, compute: derive })

/**
 * The faults below a path and at it, by what follows the path: `0.heading`, or nothing for the value itself. Renders again
 * only when they change.
 */
export function useFaultsBelow(path: string): ReadonlyMap<string, string> {
  const { subscribe, getErrors } = useOwnState()
  const listen = useCallback(
    (onChange: () => void) => subscribe({ name: path, formState: { errors: true }, callback: onChange }),
    [subscribe, path],
  )
  const text = useSyncExternalStore(listen, () => JSON.stringify([...faultsBelow(getErrors(path))]))
  return useMemo(() => new Map(JSON.parse(text) as readonly (readonly [string, string])[]), [text])
}

/** Reads a value of the form at the moment, without following its changes. */
export function useFormReader(): (path: string) => unknown {
  return useOwnState().getValues
}

/** Returns an object that is another one as soon as the form was saved or read again. */
export function useStoredVersion(): () => object {
  const { control } = useOwnState()
  return () => control._defaultValues
}

/** Keeps the form from being saved while the value at a path has a fault that only the panel knows of. */
export function useLocalFault(path: string, fault: string | null): void {
  const { localFaults } = useOwnState()
  const latestFaults = useRef(localFaults)
  latestFaults.current = localFaults
  useEffect(() => {
    if (fault === null) latestFaults.current.delete(path)
    else latestFaults.current.set(path, fault)
    const faults = latestFaults.current
    return () => void faults.delete(path)
  }, [path, fault])
}
