-- Bytes of any length: the one type that the databases do not share.
CREATE DOMAIN binary_data AS BYTEA;
