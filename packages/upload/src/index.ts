export type { StoredFile, UploadProvider } from './provider.ts'
