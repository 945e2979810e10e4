// Calls every method of the SDK once, with ids from earlier responses, and prints a line for each: what came of it, the
// method, the status, the request, and the error. Arguments: the base URL, and values of parameters as NAME=VALUE.
//
// The suite `go-sdk` replaces SDK by the path of the module.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"sort"
	"strings"
	"time"

	"SDK/admin"
)

// recorder keeps the body of the latest response, and values of parameters by name.
type recorder struct {
	next   http.RoundTripper
	known  map[string]string
	body   []byte
	status int
	url    string
}

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	r.url = request.Method + " " + request.URL.Path
	response, err := r.next.RoundTrip(request)
	if err != nil {
		return response, err
	}
	r.status = response.StatusCode
	r.body, err = io.ReadAll(io.LimitReader(response.Body, 10_000_000))
	response.Body.Close()
	response.Body = io.NopCloser(strings.NewReader(string(r.body)))
	r.learn(request.URL.Path)
	return response, err
}

// learn reads the id and name of the first item of a list. In a list at /alertConfigs, these are AlertConfigId and
// Name.
func (r *recorder) learn(path string) {
	var document map[string]any
	if r.status/100 != 2 || json.Unmarshal(r.body, &document) != nil {
		return
	}
	if list, ok := document["results"].([]any); ok && len(list) > 0 {
		document, _ = list[0].(map[string]any)
	}
	last := path[strings.LastIndex(path, "/")+1:]
	one := strings.ToUpper(last[:1]) + strings.TrimSuffix(last[1:], "s")
	for field, value := range document {
		text, ok := value.(string)
		if !ok {
			continue
		}
		for _, name := range []string{one + strings.ToUpper(field[:1]) + field[1:], strings.ToUpper(field[:1]) + field[1:]} {
			if _, isKnown := r.known[name]; !isKnown && (strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "Name")) {
				r.known[name] = text
			}
		}
	}
}

type call struct {
	name   string
	method reflect.Value
}

// rank orders calls, so that resources exist when other calls need them. The project and the organization are deleted
// last.
func rank(name string) int {
	if name == "DeleteGroup" || name == "DeleteOrg" {
		return 9
	}
	for index, beginning := range []string{"List", "Get", "Create", "Add", "Update", "Delete"} {
		if strings.HasPrefix(name, beginning) {
			return index
		}
	}
	return 4
}

func main() {
	transport := &recorder{next: http.DefaultTransport, known: map[string]string{}}
	for _, pair := range os.Args[2:] {
		name, value, _ := strings.Cut(pair, "=")
		transport.known[name] = value
	}
	token := os.Getenv("SUITE_TOKEN")
	client, err := admin.NewClient(admin.UseBaseURL(os.Args[1]), admin.UseHTTPClient(&http.Client{
		Transport: bearer{transport, token}, Timeout: 60 * time.Second}))
	if err != nil {
		panic(err)
	}
	var calls []call
	services := reflect.ValueOf(client).Elem()
	for index := range services.NumField() {
		field := services.Field(index)
		if field.Kind() != reflect.Interface || field.IsNil() || !services.Type().Field(index).IsExported() {
			continue
		}
		for number := range field.Type().NumMethod() {
			name := field.Type().Method(number).Name
			if base, isOne := strings.CutSuffix(name, "WithParams"); isOne {
				calls = append(calls, call{base, field.Method(number)})
			}
		}
	}
	sort.SliceStable(calls, func(a, b int) bool { return rank(calls[a].name) < rank(calls[b].name) })
	for _, one := range calls {
		run(one, transport)
	}
}

func run(one call, transport *recorder) {
	params := reflect.New(one.method.Type().In(1).Elem())
	for index := range params.Elem().NumField() {
		fill(params.Elem().Field(index), params.Elem().Type().Field(index).Name, transport.known)
	}
	*transport = recorder{next: transport.next, known: transport.known}
	request := one.method.Call([]reflect.Value{reflect.ValueOf(context.Background()), params})[0]
	results := request.MethodByName("Execute").Call(nil)
	err, _ := results[len(results)-1].Interface().(error)
	message := ""
	if err != nil {
		message = strings.ReplaceAll(err.Error(), "\n", " ")
	}
	if len(message) > 250 {
		message = message[:250]
	}
	verdict := verdictOf(transport, err)
	fmt.Printf("%s\t%s\t%d\t%s\t%s\n", verdict, one.name, transport.status, transport.url, message)
}

const unknown = "0123456789abcdef01234567"

// fill sets a parameter: texts to known values, bodies to empty ones, and flags to false.
func fill(field reflect.Value, name string, known map[string]string) {
	value, isKnown := known[name]
	if field.Kind() == reflect.String {
		if !isKnown {
			value = unknown
		}
		field.SetString(value)
		return
	}
	if field.Kind() != reflect.Pointer {
		return
	}
	switch inner := field.Type().Elem(); {
	case inner.Kind() == reflect.String && isKnown:
		field.Set(reflect.ValueOf(&value))
	case inner.Kind() == reflect.Bool, inner.Kind() == reflect.Struct && inner.PkgPath() != "time",
		inner.Kind() == reflect.Slice:
		field.Set(reflect.New(inner))
	}
}

// verdictOf returns the result of a call. A refused call has an error code that the SDK can read.
func verdictOf(transport *recorder, err error) string {
	var fault struct{ ErrorCode string }
	json.Unmarshal(transport.body, &fault)
	isFine := transport.status/100 == 2
	switch {
	case transport.status == 0:
		return "unsent"
	case transport.status == 501:
		return "unserved"
	case isFine && err == nil:
		return "ok"
	case isFine, transport.status >= 500, transport.status == 406, fault.ErrorCode == "":
		return "failed"
	}
	return "refused"
}

type bearer struct {
	next  http.RoundTripper
	token string
}

func (b bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(request)
}
