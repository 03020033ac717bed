export declare function findPostgres(): string | undefined;
export declare function ensurePostgres(): void;
